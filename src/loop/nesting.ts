/** Far beyond what any file of a run nests, and far below what overflows the stack of whoever walks through it. */
const deepest = 200

/** Whether plain data nests so deeply that walking through it may overflow the stack. */
export function nestsDeeply(value: unknown, left = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (left === 0) return true
  for (const item of Object.values(value)) if (nestsDeeply(item, left - 1)) return true
  return false
}
