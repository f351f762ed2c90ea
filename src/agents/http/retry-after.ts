/**
 * Returns how long a provider asks callers to wait, in ms: from `retry-after-ms`, from `retry-after` in seconds or as a date
 * (RFC 9110, 10.2.3), or from Google's RetryInfo in the body; undefined if it asks for nothing.
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
