/** Reads `compliance`, a number from 0 to 1, from a judge's reply that is or holds a JSON object; else null. */
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
