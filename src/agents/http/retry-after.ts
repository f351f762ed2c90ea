/**
 * How long a provider asks to be left alone, in ms: `retry-after-ms`, `retry-after` in seconds or as a date (RFC 9110,
 * 10.2.3), or Google's RetryInfo in the body; undefined where it says nothing.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  body: string,
  now = Date.now(),
): number | undefined {
  const exact = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] && Number.isFinite(exact) && exact >= 0) return Math.ceil(exact)
  const header = headers['retry-after']?.trim()
  if (header) {
    if (/^\d+(\.\d+)?$/.test(header)) return Math.ceil(Number(header) * 1000)
    const date = Date.parse(header)
    if (!Number.isNaN(date)) return Math.max(0, date - now)
  }
  const seconds = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000)
}
