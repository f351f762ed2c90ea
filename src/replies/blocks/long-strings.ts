/** The long strings of Python within a block, followed line by line. */
export interface LongStrings {
  /** Whether such a string is open before a line. Lines must be asked for in order. */
  isOpenBefore: (line: number) => boolean
  /** Returns the line in which the string ends that is open before a line, and its quotes; undefined if it never ends. */
  endBehind: (line: number) => { line: number; quotes: string } | undefined
}

/** Returns the long strings of the lines from one on. */
export function followLongStrings(lines: readonly string[], from: number): LongStrings {
  let next = from
  let open: string | undefined
  let lastEnd = -1
  const isOpenBefore = (line: number) => {
    for (; next < line; next++) open = quotesOpenBehind(lines[next] ?? '', open)
    return open !== undefined
  }
  const endBehind = (line: number) => {
    if (!isOpenBefore(line) || open === undefined) return undefined
    // The end is kept, since one string may hold many fences.
    if (lastEnd < line) {
      lastEnd = line
      while (lastEnd < lines.length && !lines[lastEnd]?.includes(open)) lastEnd++
    }
    return lastEnd < lines.length ? { line: lastEnd, quotes: open } : undefined
  }
  return { isOpenBefore, endBehind }
}

/** Returns the quotes of the string that is open behind a line. */
export function quotesOpenBehind(line: string, before: string | undefined): string | undefined {
  let open = before
  for (const [quotes] of line.matchAll(/"""|'''/g))
    open = open === undefined ? quotes : open === quotes ? undefined : open
  return open
}
