import { type BlockScan, closeWrappers, flush, readBlocks, readRows, takeText } from './scan-blocks.ts'
import type { Line } from './scan-lines.ts'
import type { Region, ScannedReply, Span } from './scan-regions.ts'
import { createQuoteReader, findFinalMessages, findThoughtMarks, type ThoughtMark } from './scan-thoughts.ts'

export type { Fence, Region, ScannedReply } from './scan-regions.ts'

/**
 * Divides a reply into its regions, in linear time. Fences are found by CommonMark's rules and beyond them as a person reads: a block
 * that is never closed ends at the next `FILE:` line with a fence, at the next opening fence, or at the end. Marks of thoughts within
 * a block, data or code are text; a fence within thoughts is a part of them.
 */
export function scanReply(text: string): ScannedReply {
  const finals = findFinalMessages(text)
  const regions = finals ? scanChannels(text, finals) : scanText(text, findThoughtMarks(text))
  return { text, lines: text.split('\n'), regions }
}

/** All but the final messages of a reply with channels is thoughts. */
function scanChannels(text: string, finals: readonly Span[]): Region[] {
  const regions: Region[] = []
  let from = 0
  let line = 0
  for (const { start, end } of [...finals, { start: text.length, end: text.length }]) {
    const thoughts = text.slice(from, start)
    if (thoughts !== '') regions.push(thoughtsOf(text, { start: from, end: start }, line))
    line += breaksIn(thoughts)
    const message = text.slice(start, end)
    for (const region of scanText(message, findThoughtMarks(message)))
      regions.push(shift(region, start, line))
    line += breaksIn(message)
    from = end
  }
  return regions
}

const breaksIn = (text: string) => text.split('\n').length - 1

/** Returns thoughts as a region, with what they hold. Their marks are text within them. */
function thoughtsOf(text: string, { start, end }: Span, firstLine: number): Region {
  const inner = text.slice(start, end)
  const children = scanText(inner, []).map((region) => shift(region, start, firstLine))
  return { kind: 'thoughts', start, end, firstLine, endLine: firstLine + breaksIn(inner) + 1, children }
}

/** Returns a region of a part of a text as one of the whole. */
function shift<Kind extends Region>(region: Kind, by: number, lines: number): Kind {
  return {
    ...region,
    start: region.start + by,
    end: region.end + by,
    firstLine: region.firstLine + lines,
    endLine: region.endLine + lines,
    children: region.children.map((child) => shift(child, by, lines)),
  }
}

/** A text that is being scanned. */
interface Scan extends BlockScan {
  text: string
  /** Where the answer begins: behind the last thoughts. */
  from: number
  /** The place of the last thoughts among the regions, and how many marks within them opened further ones. */
  last: number
  open: number
}

function scanText(text: string, marks: readonly ThoughtMark[]): Region[] {
  const scan: Scan = { ...readRows(text, marks), text, from: 0, last: 0, open: 0 }
  const { rows, fences } = scan
  const isQuoted = createQuoteReader(text, marks)
  for (let at = 0; at < rows.length; ) {
    const row = rows[at] as Line
    while (scan.next < marks.length && (marks[scan.next]?.start ?? 0) < row.start) scan.next++
    const mark = marks[scan.next]
    if (mark && !fences[at] && mark.start < row.start + row.text.length) {
      scan.next++
      if (isRead(scan, mark) && !isQuoted(mark, scan.from)) at = cutThoughts(scan, at, mark)
    } else at = readBlocks(scan, at) ?? takeText(scan, row, at)
  }
  flush(scan)
  closeWrappers(scan)
  return scan.regions
}

/** Whether a mark is one, as it stands on its line. One that opens thoughts to the end begins its line. */
const isRead = ({ open }: Scan, { opens, stands, beginsLine, closing }: ThoughtMark) =>
  opens ? (closing ? stands : beginsLine) : stands || open > 0

/** Takes the thoughts that a mark on a line begins or ends; returns the line that goes on behind them. */
function cutThoughts(scan: Scan, at: number, mark: ThoughtMark): number {
  const { text, rows, regions, marks } = scan
  const row = rows[at] as Line
  scan.pending.push({ ...row, text: text.slice(row.start, mark.start) })
  flush(scan)
  if (mark.opens) {
    const end = mark.closing?.end ?? text.length
    scan.last = regions.length
    scan.open = 0
    for (; scan.next < marks.length && (marks[scan.next]?.end ?? 0) <= end; scan.next++)
      if (marks[scan.next]?.opens && marks[scan.next]?.name === mark.name) scan.open++
    regions.push(thoughtsOf(text, { start: mark.start, end }, row.number))
    scan.from = end
  } else {
    // The start was in the prompt, or these thoughts held further ones: all up to here was thought.
    const index = scan.open > 0 ? scan.last : 0
    const children = regions.splice(index)
    const first = scan.open > 0 ? children[0] : undefined
    const [start, firstLine] = [first?.start ?? 0, first?.firstLine ?? 0]
    regions.push({ kind: 'thoughts', start, end: mark.end, firstLine, endLine: row.number + 1, children })
    scan.last = index
    scan.open = Math.max(0, scan.open - 1)
    scan.from = mark.end
  }
  scan.wrapped.length = 0
  return resume(scan, at)
}

/** Returns the line behind the last thoughts, whose rest becomes a line of its own. */
function resume({ rows, fences, from }: Scan, at: number): number {
  let line = at
  while (line < rows.length && (rows[line] as Line).start + (rows[line] as Line).text.length < from) line++
  const row = rows[line]
  if (!row || row.start >= from) return line
  rows[line] = { ...row, text: row.text.slice(from - row.start), start: from }
  fences[line] = undefined
  return line
}
