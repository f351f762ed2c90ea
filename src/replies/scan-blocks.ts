import { findEnd } from './scan-ends.ts'
import {
  columnsOf,
  type FenceLine,
  readGluedFence,
  readInfo,
  withoutIndent,
  withoutQuotes,
} from './scan-fences.ts'
import { type FileHeading, readHeading } from './scan-headings.ts'
import { type Rows, skipBlank } from './scan-pairs.ts'
import {
  endText,
  type Fence,
  type Lines,
  type OpenText,
  type Place,
  placeOf,
  type Region,
} from './scan-regions.ts'
import type { ThoughtMark } from './scan-thoughts.ts'

/** A text whose blocks are being found. */
export interface BlockScan extends Rows {
  marks: readonly ThoughtMark[]
  /** The next mark. */
  next: number
  regions: Region[]
  /** The text behind the last region that may go on. */
  open: OpenText | undefined
  /** The fences around other blocks that are open, each with its line and its place among the regions. */
  wrapped: { fence: FenceLine; at: number; index: number }[]
  /** For each line, how many fences stand at or behind it; for each fence, 1 if those from it on come in pairs. */
  fencesFrom: Int32Array
  pairsUp: Uint8Array
}

/** Divides the lines of text behind the last region. */
export function flush(scan: BlockScan): void {
  endText(scan.regions, scan.open)
  scan.open = undefined
}

/** Takes what begins on a line and is no text: a block, a heading of a file, a call of a tool; returns the line behind it. */
export function readBlocks(scan: BlockScan, at: number): number | undefined {
  const { rows, fences, wrapped } = scan
  const text = rows.text(at)
  const owner = readHeading(text)
  if (owner) {
    const open = owner.verb === 'FILE' ? skipBlank(rows, at + 1) : rows.count()
    const fence = fences[open]
    if (fence) return takeBlock(scan, { begin: at, open, fence, owner, isOwnedWithin: false })
    return take(scan, at, at + 1, (place) => ({ ...place, kind: 'file', heading: owner }))
  }
  const fence = fences[at] ?? readGluedFence(text)
  if (!fence) return takeCall(scan, at)
  const around = wrapped.at(-1)?.fence
  if (around && fence.info === '' && fence.sign === around.sign && fence.length >= around.length) {
    flush(scan)
    closeWrapper(scan, at + 1, true)
    return at + 1
  }
  const first = skipBlank(rows, at + 1)
  const within = readHeading(rows.text(first))
  if (isWrapper(scan, at, fence, within && first)) {
    flush(scan)
    wrapped.push({ fence, at, index: scan.regions.length })
    return at + 1
  }
  if (within?.verb === 'FILE' && first < (scan.nextFence[at + 1] as number))
    return takeBlock(scan, { begin: at, open: first, fence, owner: within, isOwnedWithin: true })
  return takeBlock(scan, { begin: at, open: at, fence, owner: undefined, isOwnedWithin: false })
}

/** Most fences around one another that stand around blocks. What reads the regions calls itself for each. */
const deepest = 50

/** Whether a fence stands around other blocks: a `FILE:` line with a fence comes first in it, or it is Markdown with blocks. */
function isWrapper(
  { rows, fences, nextFence, wrapped }: BlockScan,
  at: number,
  fence: FenceLine,
  heading: number | undefined,
) {
  const next = nextFence[at + 1] as number
  const inner = fences[next]
  if (!inner || inner.length > fence.length || wrapped.length === deepest) return false
  if (heading !== undefined && skipBlank(rows, heading + 1) === next)
    return inner.info !== '' || fences[nextFence[next + 1] as number]?.info === ''
  return readInfo(fence.info).language === 'markdown' && inner.info !== ''
}

/** Closes the last fence around other blocks: the regions since then are within it. */
function closeWrapper({ rows, regions, wrapped }: BlockScan, next: number, isClosed: boolean): void {
  const { at, index } = wrapped.pop() as BlockScan['wrapped'][number]
  const children = regions.splice(index)
  regions.push({ ...placeOfRows(rows, at, next), kind: 'wrapper', isClosed, children })
}

/** Ends the fences around other blocks that nothing closes. */
export function closeWrappers(scan: BlockScan): void {
  while (scan.wrapped.length > 0) closeWrapper(scan, scan.rows.count(), false)
}

const placeOfRows = (rows: Lines, begin: number, next: number): Place =>
  placeOf(rows.line(begin), rows.line(Math.max(begin, next - 1)))

function take(scan: BlockScan, begin: number, next: number, make: (place: Place) => Region): number {
  flush(scan)
  scan.regions.push(make(placeOfRows(scan.rows, begin, next)))
  return next
}

const callTag = /^[ \t]*<(tool_calls?|function_calls?)>/

/** Takes the call of a tool that begins on a line, if it ends. */
function takeCall(scan: BlockScan, at: number): number | undefined {
  const { rows } = scan
  const tag = callTag.exec(rows.text(at))?.[1]
  if (tag === undefined) return undefined
  const isCall = (line: number) => callTag.test(rows.text(line))
  for (let end = at; end < rows.count() && (end === at || !isCall(end)); end++)
    if (rows.text(end).includes(`</${tag}>`))
      return take(scan, at, end + 1, (place) => ({ ...place, kind: 'call' }))
  return undefined
}

interface Opening {
  /** The first line, of the heading or of the opening fence. */
  begin: number
  /** The line behind which the content begins. */
  open: number
  fence: FenceLine
  owner: FileHeading | undefined
  isOwnedWithin: boolean
}

function takeBlock(scan: BlockScan, opening: Opening): number {
  const { begin, open, fence, owner, isOwnedWithin } = opening
  const found = findEnd(scan, open, fence, owner)
  const { end, next, isClosed, last, isUnclear = false } = found
  const ended = endedThoughts(scan, opening, next)
  if (ended !== undefined) return take(scan, begin, ended, (place) => ({ ...place, kind: 'stray' }))
  const content = contentOf(scan.rows, open, end, fence)
  if (last !== undefined) content.push(last)
  if (!isClosed) while (content.at(-1)?.trim() === '') content.pop()
  // A `FILE:` line that ends a block names no content.
  if (isOwnedWithin && content.every((line) => line.trim() === ''))
    return takeBlock(scan, { ...opening, open: begin, owner: undefined, isOwnedWithin: false })
  const { code } = readInfo(fence.info)
  if (code !== '') content.unshift(code)
  // A fence at the end of the reply opens nothing.
  if (!owner && !isClosed && fence.info === '' && content.every((line) => line.trim() === ''))
    return take(scan, begin, open + 1, (place) => ({ ...place, kind: 'stray' }))
  const info = code === '' ? fence.info : fence.info.slice(0, fence.info.length - code.length).trim()
  const text = content.map((line) => `${line}\n`).join('')
  return take(scan, begin, next, (place): Fence => {
    return { ...place, kind: 'fence', info, content: text, isClosed, isUnclear, owner, isOwnedWithin }
  })
}

function contentOf(rows: Lines, open: number, end: number, { quotes, indent }: FenceLine): string[] {
  const lines: string[] = []
  for (let at = open + 1; at < end; at++) {
    const text = rows.text(at)
    if (at > open + 1 && rows.number(at) === rows.number(at - 1)) lines.push(`${lines.pop()}${text}`)
    else lines.push(withoutQuotes(text, quotes) ?? text)
  }
  if (indent === 0) return lines
  const columns = Math.min(indent, columnsOf(lines.find((line) => line.trim() !== '') ?? ''))
  return lines.map((line) => withoutIndent(line, columns))
}

/**
 * Returns the line of a mark within a block that ends thoughts, which left the block open: no fence ends the block behind the mark, or
 * the fences behind it come in pairs. Any other mark within a block is text.
 */
function endedThoughts(scan: BlockScan, { open, fence }: Opening, next: number): number | undefined {
  const { rows, fences, nextFence, marks } = scan
  const startOf = (line: number) => (line < rows.count() ? rows.start(line) : Number.POSITIVE_INFINITY)
  const end = startOf(next)
  const isText = readInfo(fence.info).language === 'markdown'
  let depth = 0
  let at = open
  let ending = open
  for (let i = scan.next; (marks[i]?.start ?? end) < end; i++) {
    const mark = marks[i] as ThoughtMark
    while (startOf(at + 1) <= mark.start) at++
    if (at <= open) continue
    if (mark.opens || depth > 0) {
      depth += mark.opens ? 1 : -1
      continue
    }
    const behind = nextFence[at + 1] as number
    ending = Math.max(ending, behind)
    while (
      fences[ending] &&
      !(fences[ending]?.sign === fence.sign && (fences[ending]?.length ?? 0) >= fence.length)
    )
      ending = nextFence[ending + 1] as number
    const isAlone = (mark.beginsLine && mark.endsLine) || mark.touchesFence
    const isAtEdge = isAlone || mark.beginsLine || (mark.endsLine && behind < rows.count())
    // Each block behind it has two fences. One more ends a text that holds blocks of its own.
    if (
      isText
        ? isAlone && (scan.fencesFrom[behind] as number) % 2 === 0
        : isAtEdge && (fences[ending]?.info !== '' || scan.pairsUp[ending] === 1)
    )
      return at
  }
  return undefined
}
