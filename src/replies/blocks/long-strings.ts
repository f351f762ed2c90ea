/** The long strings of Python within a block, followed line by line. */
export interface LongStrings {
  /** Whether such a string is open before a line. Lines must be asked for in order. */
  isOpenBefore: (line: number) => boolean
}

/** Returns the long strings of the lines from one on. */
export function followLongStrings(lines: readonly string[], from: number): LongStrings {
  let next = from
  let open: string | undefined
  const isOpenBefore = (line: number) => {
    for (; next < line; next++)
      for (const [quotes] of (lines[next] ?? '').matchAll(/"""|'''/g))
        open = open === undefined ? quotes : open === quotes ? undefined : open
    return open !== undefined
  }
  return { isOpenBefore }
}
