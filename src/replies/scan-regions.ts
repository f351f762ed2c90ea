import type { FileHeading } from './scan-headings.ts'

/** A part of a text, from one offset to another. */
export interface Span {
  start: number
  end: number
}

/** Where a region of a reply lies. */
export interface Place extends Span {
  /** The first line, and the line behind the last; from 0. */
  firstLine: number
  endLine: number
  /** The regions within it, in order. */
  children: readonly Region[]
}

/** A fenced block. Its place begins at the heading of its file, if it has one. */
export interface Fence extends Place {
  kind: 'fence'
  info: string
  content: string
  isClosed: boolean
  /** Whether its end is in doubt: the fences of a file do not come in pairs. */
  isUnclear: boolean
  /** The `FILE:` line to which the block belongs. */
  owner: FileHeading | undefined
  /** Whether that line stands within the block, as its first one. */
  isOwnedWithin: boolean
}

/** A `FILE:` or `DELETE:` line without a block. */
interface FileLine extends Place {
  kind: 'file'
  heading: FileHeading
}

/** A fence around other blocks, such as a block of Markdown. */
interface Wrapper extends Place {
  kind: 'wrapper'
  isClosed: boolean
}

/** Any other region. */
interface PlainRegion extends Place {
  /** `thoughts` with their marks; `stray`: a fence that opens and closes nothing; `call`: the text of a call of a tool. */
  kind: 'thoughts' | 'stray' | 'call' | TextKind
}

/** A part of a reply. */
export type Region = Fence | FileLine | Wrapper | PlainRegion

/** A reply, divided. Lines between regions are empty. */
export interface ScannedReply {
  text: string
  lines: readonly string[]
  regions: readonly Region[]
}

/** Returns the regions outside of thoughts in order, with those within a fence around them between two strays. */
export function partsOf(regions: readonly Region[]): Region[] {
  return regions.flatMap((region) => {
    if (region.kind === 'thoughts') return []
    if (region.kind !== 'wrapper') return [region]
    const { firstLine, endLine, isClosed } = region
    const stray = { ...region, kind: 'stray', children: [] } as const
    const close = { ...stray, firstLine: endLine - 1 }
    return [{ ...stray, endLine: firstLine + 1 }, ...partsOf(region.children), ...(isClosed ? [close] : [])]
  })
}

/** A line of a reply: its text, its number and where it begins. */
interface Line {
  text: string
  number: number
  start: number
}

/** The lines of a text. */
export interface Lines {
  count: () => number
  start: (at: number) => number
  number: (at: number) => number
  /** The text of a line; empty behind the last one. */
  text: (at: number) => string
  line: (at: number) => Line
  /** Puts a line in the place of another one, or behind the last one. */
  set: (at: number, start: number, end: number, number: number) => void
}

/** Returns a list of lines that keeps only their places: a reply may have millions. */
export function createLines(source: string): Lines {
  let places = new Int32Array(3 * 256)
  let count = 0
  const start = (at: number) => places[3 * at] as number
  const number = (at: number) => places[3 * at + 2] as number
  const text = (at: number) => (at >= 0 && at < count ? source.slice(start(at), places[3 * at + 1]) : '')
  return {
    count: () => count,
    start,
    number,
    text,
    line: (at) => ({ text: text(at), start: start(at), number: number(at) }),
    set: (at, from, end, line) => {
      count = Math.max(count, at + 1)
      if (3 * count > places.length) {
        const more = new Int32Array(2 * places.length)
        more.set(places)
        places = more
      }
      places[3 * at] = from
      places[3 * at + 1] = end
      places[3 * at + 2] = line
    },
  }
}

type TextKind = 'quote' | 'table' | 'list' | 'heading' | 'prose'

const listItem = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+\S/
const heading = /^ {0,3}#{1,6}[ \t]+\S/
const tableRow = /^[ \t]*\|.*\|[ \t]*$/

function kindOf(text: string, before: TextKind | undefined): TextKind {
  if (/^[ \t]{0,3}>/.test(text)) return 'quote'
  if (tableRow.test(text)) return 'table'
  if (heading.test(text)) return 'heading'
  if (listItem.test(text) || (before === 'list' && /^[ \t]{2,}\S/.test(text))) return 'list'
  return 'prose'
}

/** Returns the place from one line to another. */
export const placeOf = (first: Line, last: Line): Place => ({
  start: first.start,
  end: last.start + last.text.length,
  firstLine: first.number,
  endLine: last.number + 1,
  children: [],
})

/** A paragraph, list, table, quote or heading that may go on. */
export interface OpenText {
  kind: TextKind
  first: Line
  last: Line
}

/** Takes the next line between the blocks of a reply; returns the text that it begins or goes on with. An empty line ends each. */
export function takeLine(regions: Region[], open: OpenText | undefined, line: Line): OpenText | undefined {
  const kind = line.text.trim() === '' ? undefined : kindOf(line.text, open?.kind)
  if (open && kind === open.kind && kind !== 'heading') {
    open.last = line
    return open
  }
  endText(regions, open)
  return kind && { kind, first: line, last: line }
}

/** Ends a text. */
export function endText(regions: Region[], open: OpenText | undefined): void {
  if (open) regions.push({ ...placeOf(open.first, open.last), kind: open.kind })
}
