/** Far beyond what any file of a run nests, and far below what overflows the stack of whoever walks through it. */
const deepest = 200

/** Why parsed JSON could not be walked through or written again as it is; undefined when it can. */
export function faultOf(value: unknown, left = deepest): string | undefined {
  // JSON has no infinity, but a number such as 1e999 is read as one.
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : 'holds a number that is too large'
  if (typeof value !== 'object' || value === null) return undefined
  if (left === 0) return 'nests too deeply'
  for (const item of Object.values(value)) {
    const reason = faultOf(item, left - 1)
    if (reason !== undefined) return reason
  }
  return undefined
}
