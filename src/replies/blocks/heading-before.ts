import { readHeading } from './file-heading.ts'

/** Returns the line of a `FILE:` heading that stands directly before a line; undefined if there is none. */
export function headingBefore(lines: readonly string[], open: number, at: number): number | undefined {
  let before = at - 1
  while (before > open && lines[before]?.trim() === '') before--
  return before > open && readHeading(lines[before] ?? '')?.verb === 'FILE' ? before : undefined
}
