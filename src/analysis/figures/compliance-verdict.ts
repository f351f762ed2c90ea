/**
 * The number that a judge's reply gives as `compliance`, 0 to 1, where the reply is a JSON object with one, bare or
 * among other words; else null.
 */
export function readCompliance(reply: string): number | null {
  if (!reply.includes('"compliance"')) return null
  try {
    const data: unknown = JSON.parse(reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1))
    const { compliance } = data as { compliance?: unknown }
    return typeof compliance === 'number' && compliance >= 0 && compliance <= 1 ? compliance : null
  } catch {
    return null
  }
}
