/**
 * Merges intervals `[from, to]` that overlap or touch each other, and returns them in ascending order. `[1, 2]` and `[2, 3]` touch,
 * `[1, 2]` and `[3, 4]` do not.
 */
export function mergeIntervals(intervals) {
  const merged = []
  for (const [from, to] of [...intervals].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}
