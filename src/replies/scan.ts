import { type BlockScan, closeWrappers, flush, readBlocks } from './scan-blocks.ts'
import { readFenceLine } from './scan-fences.ts'
import type { Line, ScannedReply } from './scan-regions.ts'
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

/** Reads the lines of a text. A mark that touches a fence has a line of its own, so that the fence has one, too. */
function readRows(text: string, marks: readonly ThoughtMark[]): BlockScan {
  const rows: Line[] = []
  const thoughtful = new Set<number>()
  let start = 0
  let next = 0
  for (const [number, line] of text.split('\n').entries()) {
    const end = start + line.length
    let from = start
    for (let mark = marks[next]; mark && mark.end <= end; mark = marks[++next]) {
      for (const cut of mark.touchesFence ? [mark.start, mark.end] : []) {
        if (cut > from) rows.push({ text: text.slice(from, cut), number, start: from })
        from = cut
      }
      if (mark.opens && mark.beginsLine) thoughtful.add(rows.length - (mark.touchesFence ? 1 : 0))
    }
    if (from < end || from === start) rows.push({ text: text.slice(from, end), number, start: from })
    start = end + 1
  }
  const fences = rows.map((row) => readFenceLine(row.text))
  const nextFence = nextWhere(rows.length, (at) => fences[at] !== undefined)
  return {
    rows,
    fences,
    nextFence,
    nextPlain: nextWhere(rows.length, (at) => !/^[ \t]{0,3}>/.test(rows[at]?.text ?? '')),
    nextThought: nextWhere(rows.length, (at) => thoughtful.has(at)),
    ...pairFences(fences, nextFence),
    marks,
    next: 0,
    regions: [],
    pending: [],
    wrapped: [],
  }
}

/** Returns for each line the next one at or behind it of which something holds; their number if there is none. */
function nextWhere(count: number, holds: (at: number) => boolean): Int32Array {
  const next = new Int32Array(count + 2).fill(count)
  for (let at = count - 1; at >= 0; at--) next[at] = holds(at) ? at : (next[at + 1] as number)
  return next
}

/** Counts the fences from each line on, and says whether those from a fence on come in pairs. */
function pairFences(
  fences: BlockScan['fences'],
  next: Int32Array,
): Pick<BlockScan, 'fencesFrom' | 'pairsUp'> {
  const fencesFrom = new Int32Array(fences.length + 2)
  const pairsUp = new Uint8Array(fences.length + 2)
  for (let at = fences.length - 1; at >= 0; at--) {
    fencesFrom[at] = (fencesFrom[at + 1] as number) + (fences[at] ? 1 : 0)
    const [close, behind] = [next[at + 1] as number, next[(next[at + 1] as number) + 1] as number]
    pairsUp[at] = fences[close]?.info === '' && (behind >= fences.length || pairsUp[behind] === 1) ? 1 : 0
  }
  return { fencesFrom, pairsUp }
}
