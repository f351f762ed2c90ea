/** One line of a difference: kept lines are left out. */
export interface LineChange {
  sign: '+' | '-'
  text: string
}

/**
 * Lines removed and added between two texts, in order; a longest common subsequence, so none is told twice. Where
 * both differing parts are so long that it would take too much memory, they are told as replaced whole.
 */
export function lineDiff(before: string | null, after: string | null): LineChange[] {
  const old = linesOf(before)
  const now = linesOf(after)
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++
  return middle(old.slice(start, old.length - end), now.slice(start, now.length - end))
}

function linesOf(text: string | null): string[] {
  if (text === null || text === '') return []
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function middle(old: readonly string[], now: readonly string[]): LineChange[] {
  const removed = (text: string): LineChange => ({ sign: '-', text })
  const added = (text: string): LineChange => ({ sign: '+', text })
  if (old.length * now.length > 4_000_000) return [...old.map(removed), ...now.map(added)]

  // common[i * width + j]: longest common subsequence of old from i and now from j.
  const width = now.length + 1
  const common = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i * width + j] =
        old[i] === now[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0)
    }
  }
  const changes: LineChange[] = []
  let i = 0
  let j = 0
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i++
      j++
    } else if (
      i < old.length &&
      (j === now.length || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      changes.push(removed(old[i++] ?? ''))
    } else changes.push(added(now[j++] ?? ''))
  }
  return changes
}
