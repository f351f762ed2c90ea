import { type BlockScan, closeWrappers, flush, readBlocks } from './scan-blocks.ts'
import { readFenceLine } from './scan-fences.ts'
import { createLines, type ScannedReply, takeLine } from './scan-regions.ts'
import { createQuoteReader, findThoughtMarks, type ThoughtMark } from './scan-thoughts.ts'

export type { Fence, Region, ScannedReply } from './scan-regions.ts'

/** A text that is being scanned. */
interface Scan extends BlockScan {
  text: string
  /** Where the answer begins: behind the last thoughts. */
  from: number
  /** The place of the last thoughts among the regions, and how many marks within them opened further ones. */
  last: number
  depth: number
}

/**
 * Divides a reply into its regions, in linear time. Fences are found by CommonMark's rules and beyond them as a person reads: a block
 * that is never closed ends at the next `FILE:` line with a fence, at the next opening fence, or at the end. Marks of thoughts within
 * a block, data or code are text; what stands within thoughts is a part of them.
 */
export function scanReply(text: string): ScannedReply {
  const marks = findThoughtMarks(text)
  const scan: Scan = { ...readRows(text, marks), text, from: 0, last: 0, depth: 0 }
  const { rows, fences } = scan
  const isQuoted = createQuoteReader(text, marks)
  for (let at = 0; at < rows.count(); ) {
    const row = rows.line(at)
    while ((marks[scan.next]?.start ?? row.start) < row.start) scan.next++
    const mark = marks[scan.next]
    if (mark && !fences[at] && mark.start < row.start + row.text.length) {
      scan.next++
      if (isRead(scan, mark) && !isQuoted(mark, scan.from)) at = cutThoughts(scan, at, mark)
      continue
    }
    const next = row.text === '' ? undefined : readBlocks(scan, at)
    if (next === undefined) scan.open = takeLine(scan.regions, scan.open, row)
    at = next ?? at + 1
  }
  flush(scan)
  closeWrappers(scan)
  let lines: string[] | undefined
  return {
    text,
    regions: scan.regions,
    // Most readers need no lines, and there may be millions.
    get lines() {
      lines ??= text.split('\n')
      return lines
    },
  }
}

/** Whether a mark is one, as it stands on its line. One that opens thoughts to the end begins its line. */
const isRead = ({ depth }: Scan, { opens, stands, beginsLine, closing }: ThoughtMark) =>
  opens ? (closing ? stands : beginsLine) : stands || depth > 0

/** Takes the thoughts that a mark on a line begins or ends; returns the line that goes on behind them. */
function cutThoughts(scan: Scan, at: number, mark: ThoughtMark): number {
  const { text, rows, fences, regions, marks } = scan
  const row = rows.line(at)
  scan.open = takeLine(regions, scan.open, { ...row, text: text.slice(row.start, mark.start) })
  flush(scan)
  let { start, number: firstLine } = mark.opens ? { ...row, start: mark.start } : { start: 0, number: 0 }
  const end = mark.opens ? (mark.closing?.end ?? text.length) : mark.end
  if (mark.opens) {
    scan.last = regions.length
    scan.depth = 0
    for (; (marks[scan.next]?.end ?? end + 1) <= end; scan.next++)
      if (marks[scan.next]?.opens && marks[scan.next]?.name === mark.name) scan.depth++
  } else {
    // The start was in the prompt, or these thoughts held further ones: all up to here was thought.
    if (scan.depth === 0) scan.last = 0
    const first = regions.splice(scan.last)[0]
    if (scan.depth > 0 && first) ({ start, firstLine } = first)
    scan.depth = Math.max(0, scan.depth - 1)
  }
  scan.from = end
  scan.wrapped.length = 0
  let line = at
  while (line + 1 < rows.count() && rows.start(line + 1) <= end) line++
  const last = rows.line(line)
  regions.push({ kind: 'thoughts', start, end, firstLine, endLine: last.number + 1, children: [] })
  // What stands behind them on the line is a line of its own.
  const rest = last.text.slice(end - last.start)
  rows.set(line, end, last.start + last.text.length, last.number)
  fences[line] = readFenceLine(rest)
  return line
}

/** Reads the lines of a text. A mark that touches a fence has a line of its own, so that the fence has one, too. */
function readRows(text: string, marks: readonly ThoughtMark[]): BlockScan {
  const rows = createLines(text)
  const thoughtful = new Set<number>()
  let next = 0
  for (let start = 0, number = 0; start <= text.length; number++) {
    const end = endOfLine(text, start)
    let from = start
    for (let mark = marks[next]; mark && mark.end <= end; mark = marks[++next]) {
      for (const cut of mark.touchesFence ? [mark.start, mark.end] : []) {
        if (cut > from) rows.set(rows.count(), from, cut, number)
        from = cut
      }
      if (mark.opens && mark.beginsLine) thoughtful.add(rows.count() - (mark.touchesFence ? 1 : 0))
    }
    if (from < end || from === start) rows.set(rows.count(), from, end, number)
    start = end + 1
  }
  const count = rows.count()
  const fences: BlockScan['fences'] = new Array(count)
  for (let at = 0; at < count; at++) fences[at] = readFenceLine(rows.text(at))
  const hasQuotes = text.includes('>')
  const nextFence = nextWhere(count, (at) => fences[at] !== undefined)
  return {
    rows,
    fences,
    nextFence,
    nextPlain: nextWhere(count, (at) => !hasQuotes || !/^[ \t]{0,3}>/.test(rows.text(at))),
    nextThought: nextWhere(count, (at) => thoughtful.has(at)),
    ...pairFences(fences, nextFence),
    marks,
    next: 0,
    regions: [],
    open: undefined,
    wrapped: [],
  }
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
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
