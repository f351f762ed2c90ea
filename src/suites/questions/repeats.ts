import { createHash } from 'node:crypto'

/** Counts the questions of a table that an earlier row asks, too: as tasks of their own they look like more evidence than they are. */
export function countRepeats() {
  // Digests keep the memory small for a table of any length.
  const seen = new Map<string, number>()
  let count = 0
  let first = ''
  return {
    add(question: string, line: number): void {
      const digest = createHash('sha256').update(question).digest('base64').slice(0, 16)
      const earlier = seen.get(digest)
      if (earlier === undefined) seen.set(digest, line)
      else if (++count === 1) first = `line ${line} repeats line ${earlier}`
    },
    /** Says how many there are, and where the first is. */
    note: (): string | undefined =>
      count === 0
        ? undefined
        : `${count === 1 ? '1 question stands' : `${count} questions stand`} in an earlier row, too (${first}); each counts as a task`,
  }
}
