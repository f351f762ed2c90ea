import type { FileHeading } from './blocks/file-heading.ts'
import { type FencedBlock, scanBlocks } from './blocks/scan-blocks.ts'
import { type Line, scanLines } from './scan-lines.ts'

/** Where a region of a reply lies. */
interface Place {
  /** The offset of the first character, and the one behind the last. */
  start: number
  end: number
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
}

/** A `FILE:` or `DELETE:` line without a block. */
interface FileLine extends Place {
  kind: 'file'
  heading: FileHeading
}

/** Any other region. */
interface PlainRegion extends Place {
  /**
   * `thoughts` with their marks; `wrapper`: a fence around other blocks; `stray`: a fence that opens and closes nothing;
   * `call`: the text of a call of a tool; `maths`: a formula, with its marks, within a region of text.
   */
  kind: 'thoughts' | 'wrapper' | 'stray' | 'call' | 'quote' | 'table' | 'list' | 'heading' | 'prose' | 'maths'
}

/** A part of a reply. */
export type Region = Fence | FileLine | PlainRegion

/** A reply, divided. Lines between regions are empty. */
export interface ScannedReply {
  text: string
  lines: readonly string[]
  regions: readonly Region[]
}

/** Divides a reply into its regions. */
export function scanReply(text: string): ScannedReply {
  const { lines, parts } = scanBlocks(text)
  const starts = startsOf(lines)
  const endOf = (line: number) => (starts[line] ?? 0) + (lines[line]?.length ?? 0)
  const regions: Region[] = []
  let from = 0
  const addText = (to: number) => {
    const between: Line[] = []
    for (let i = from; i < to; i++) between.push({ text: lines[i] ?? '', number: i, start: starts[i] ?? 0 })
    for (const region of scanLines(between)) regions.push(region)
  }
  for (const part of parts) {
    addText(part.begin)
    from = part.end
    const place = {
      start: starts[part.begin] ?? 0,
      end: endOf(Math.max(part.begin, part.end - 1)),
      firstLine: part.begin,
      endLine: part.end,
      children: [],
    }
    if (part.kind === 'block') regions.push({ ...place, kind: 'fence', ...fieldsOf(part) })
    else if (part.kind === 'heading') regions.push({ ...place, kind: 'file', heading: part.heading })
    else regions.push({ ...place, kind: 'stray' })
  }
  addText(lines.length)
  return { text, lines, regions }
}

const fieldsOf = ({ info, content, isClosed, isUnclear, heading }: FencedBlock) => {
  return { info, content, isClosed, isUnclear, owner: heading }
}

function startsOf(lines: readonly string[]): number[] {
  let at = 0
  return lines.map((line) => {
    const start = at
    at += line.length + 1
    return start
  })
}

/** Returns all regions of some kind, those within others included, in order. */
export function regionsOf<Kind extends Region['kind']>(
  regions: readonly Region[],
  kind: Kind,
): (Region & { kind: Kind })[] {
  const is = (region: Region): region is Region & { kind: Kind } => region.kind === kind
  return regions.flatMap((region) => [...(is(region) ? [region] : []), ...regionsOf(region.children, kind)])
}
