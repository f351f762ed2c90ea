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
  /**
   * `thoughts` with their marks; `stray`: a fence that opens and closes nothing; `call`: the text of a call of a tool; `maths`: a
   * formula, with its marks, within a region of text.
   */
  kind: 'thoughts' | 'stray' | 'call' | 'quote' | 'table' | 'list' | 'heading' | 'prose' | 'maths'
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
