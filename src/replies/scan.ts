import { closeWrappers, flush, readBlocks } from './scan-blocks.ts'
import { readFenceLine } from './scan-fences.ts'
import type { Line, ScannedReply } from './scan-regions.ts'
import { type BlockScan, readRows } from './scan-rows.ts'
import { createQuoteReader, findThoughtMarks, type ThoughtMark } from './scan-thoughts.ts'

export type { Fence, Region, ScannedReply } from './scan-regions.ts'

/** A text that is being scanned. */
interface Scan extends BlockScan {
  text: string
  /** Where the answer begins: behind the last thoughts. */
  from: number
  /** The place of the last thoughts among the regions, and how many marks within them opened further ones. */
  last: number
  open: number
}

/**
 * Divides a reply into its regions, in linear time. Fences are found by CommonMark's rules and beyond them as a person reads: a block
 * that is never closed ends at the next `FILE:` line with a fence, at the next opening fence, or at the end. Marks of thoughts within
 * a block, data or code are text; what stands within thoughts is a part of them.
 */
export function scanReply(text: string): ScannedReply {
  const marks = findThoughtMarks(text)
  const scan: Scan = { ...readRows(text, marks), text, from: 0, last: 0, open: 0 }
  const { rows, fences } = scan
  const isQuoted = createQuoteReader(text, marks)
  for (let at = 0; at < rows.length; ) {
    const row = rows[at] as Line
    while ((marks[scan.next]?.start ?? row.start) < row.start) scan.next++
    const mark = marks[scan.next]
    if (mark && !fences[at] && mark.start < row.start + row.text.length) {
      scan.next++
      if (isRead(scan, mark) && !isQuoted(mark, scan.from)) at = cutThoughts(scan, at, mark)
      continue
    }
    const next = readBlocks(scan, at)
    if (next === undefined) scan.pending.push(row)
    at = next ?? at + 1
  }
  flush(scan)
  closeWrappers(scan)
  return { text, lines: text.split('\n'), regions: scan.regions }
}

/** Whether a mark is one, as it stands on its line. One that opens thoughts to the end begins its line. */
const isRead = ({ open }: Scan, { opens, stands, beginsLine, closing }: ThoughtMark) =>
  opens ? (closing ? stands : beginsLine) : stands || open > 0

/** Takes the thoughts that a mark on a line begins or ends; returns the line that goes on behind them. */
function cutThoughts(scan: Scan, at: number, mark: ThoughtMark): number {
  const { text, rows, fences, regions, marks } = scan
  const row = rows[at] as Line
  scan.pending.push({ ...row, text: text.slice(row.start, mark.start) })
  flush(scan)
  let { start, number: firstLine } = mark.opens ? { ...row, start: mark.start } : { start: 0, number: 0 }
  const end = mark.opens ? (mark.closing?.end ?? text.length) : mark.end
  if (mark.opens) {
    scan.last = regions.length
    scan.open = 0
    for (; (marks[scan.next]?.end ?? end + 1) <= end; scan.next++)
      if (marks[scan.next]?.opens && marks[scan.next]?.name === mark.name) scan.open++
  } else {
    // The start was in the prompt, or these thoughts held further ones: all up to here was thought.
    if (scan.open === 0) scan.last = 0
    const first = regions.splice(scan.last)[0]
    if (scan.open > 0 && first) ({ start, firstLine } = first)
    scan.open = Math.max(0, scan.open - 1)
  }
  scan.from = end
  scan.wrapped.length = 0
  let line = at
  while (rows[line + 1] && (rows[line + 1] as Line).start <= end) line++
  const last = rows[line] as Line
  regions.push({ kind: 'thoughts', start, end, firstLine, endLine: last.number + 1, children: [] })
  // What stands behind them on the line is a line of its own.
  const rest = last.text.slice(end - last.start)
  rows[line] = { ...last, text: rest, start: end }
  fences[line] = readFenceLine(rest)
  return line
}
