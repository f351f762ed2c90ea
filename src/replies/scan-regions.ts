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
export interface Line {
  text: string
  number: number
  start: number
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

/** Divides lines between the blocks of a reply into paragraphs, lists, tables, quotes and headings. An empty line ends each. */
export function scanLines(lines: readonly Line[]): Region[] {
  const runs: { kind: TextKind; first: Line; last: Line }[] = []
  let before: TextKind | undefined
  for (const line of lines) {
    const kind = line.text.trim() === '' ? undefined : kindOf(line.text, before)
    const run = kind === before && kind !== 'heading' ? runs.at(-1) : undefined
    if (run) run.last = line
    else if (kind) runs.push({ kind, first: line, last: line })
    before = kind
  }
  return runs.map(({ kind, first, last }) => ({ ...placeOf(first, last), kind }))
}
