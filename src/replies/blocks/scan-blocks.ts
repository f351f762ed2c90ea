import { findEnd, type Scan, skipBlank } from './block-end.ts'
import { readInfo } from './block-info.ts'
import {
  columnsOf,
  type FenceLine,
  readFenceLine,
  readGluedFence,
  withoutIndent,
  withoutQuotes,
} from './fence-line.ts'
import { type FileHeading, readHeading } from './file-heading.ts'

/** A fenced block of a reply. Lines are counted from 0. */
export interface FencedBlock {
  kind: 'block'
  /** The heading directly before the block, if it is a file's. */
  heading: FileHeading | undefined
  info: string
  content: string
  /** The first line, of the heading or of the opening fence. */
  begin: number
  /** The line behind the block. */
  end: number
  isClosed: boolean
  /** Whether its end is in doubt: the fences of a file do not come in pairs. */
  isUnclear: boolean
}

interface LoneHeading {
  kind: 'heading'
  heading: FileHeading
  begin: number
  end: number
}

/** A fence without an info string that opens nothing and closes nothing that was opened, or the fence around other blocks. */
interface LoneFence {
  kind: 'fence'
  begin: number
  end: number
}

type Part = FencedBlock | LoneHeading | LoneFence

/** The lines of a reply, and its blocks, headings and lone fences in order. */
export interface ScannedReply {
  lines: readonly string[]
  parts: readonly Part[]
}

/**
 * Finds the fenced blocks of a reply in one pass, by CommonMark's rules and beyond them as a person reads: a block that is never
 * closed ends at the next `FILE:` line with a fence, at the next opening fence, or at the end of the reply.
 */
export function scanBlocks(reply: string): ScannedReply {
  const lines = reply.split('\n')
  const fences = lines.map((line) =>
    line.includes('```') || line.includes('~~~') ? readFenceLine(line) : undefined,
  )
  const parts: Part[] = []
  const scan: Scan = { lines, fences, nextFence: nextFences(fences), wrappers: [], quoteEnds: new Map() }
  for (let at = 0; at < lines.length; ) {
    const part = readPart(scan, at)
    if (part) parts.push(part)
    at = part ? Math.max(part.end, at + 1) : at + 1
  }
  return { lines, parts }
}

function nextFences(fences: Scan['fences']): Int32Array {
  const next = new Int32Array(fences.length + 1)
  next[fences.length] = fences.length
  for (let i = fences.length - 1; i >= 0; i--) next[i] = fences[i] ? i : (next[i + 1] as number)
  return next
}

function readPart(scan: Scan, at: number): Part | undefined {
  const { lines, fences, wrappers } = scan
  const line = lines[at] ?? ''
  const heading = readHeading(line)
  if (heading) {
    const open = heading.verb === 'FILE' ? skipBlank(lines, at + 1) : lines.length
    const fence = fences[open]
    if (fence) return readBlock(scan, { heading, begin: at, open, fence })
    return { kind: 'heading', heading, begin: at, end: at + 1 }
  }
  const fence = fences[at] ?? readGluedFence(line)
  if (!fence) return undefined
  const around = wrappers.at(-1)
  if (around && fence.info === '' && fence.sign === around.sign && fence.length >= around.length) {
    wrappers.pop()
    return { kind: 'fence', begin: at, end: at + 1 }
  }
  if (isWrapper(scan, at, fence)) {
    wrappers.push(fence)
    return { kind: 'fence', begin: at, end: at + 1 }
  }
  return readBlock(scan, { heading: undefined, begin: at, open: at, fence })
}

/** Whether a fence stands around other blocks: a `FILE:` line with a fence comes first in it, or it is Markdown with blocks. */
function isWrapper({ lines, fences, nextFence }: Scan, at: number, fence: FenceLine): boolean {
  const next = nextFence[at + 1] as number
  const inner = fences[next]
  if (!inner || inner.length > fence.length) return false
  const first = skipBlank(lines, at + 1)
  const heading = readHeading(lines[first] ?? '')
  if (heading?.verb === 'FILE' && skipBlank(lines, first + 1) === next)
    return inner.info !== '' || fences[nextFence[next + 1] as number]?.info === ''
  const { language } = readInfo(fence.info)
  return language === 'markdown' && inner.info !== ''
}

interface Opening {
  heading: FileHeading | undefined
  begin: number
  /** The line of the opening fence. */
  open: number
  fence: FenceLine
}

function readBlock(scan: Scan, { heading, begin, open, fence }: Opening): Part {
  const { lines } = scan
  const { end, next, isClosed, last, isUnclear = false } = findEnd(scan, open, fence, heading)
  const content = contentOf(lines, open, end, fence)
  if (last !== undefined) content.push(last)
  if (!isClosed) while (content.at(-1)?.trim() === '') content.pop()
  const info = readInfo(fence.info)
  if (info.code !== '') content.unshift(info.code)
  // A fence at the end of the reply opens nothing.
  if (!heading && !isClosed && fence.info === '' && content.every((line) => line.trim() === ''))
    return { kind: 'fence', begin, end: open + 1 }
  return {
    kind: 'block',
    heading,
    info: info.code === '' ? fence.info : fence.info.slice(0, fence.info.length - info.code.length).trim(),
    content: content.map((line) => `${line}\n`).join(''),
    begin,
    end: next,
    isClosed,
    isUnclear,
  }
}

function contentOf(lines: readonly string[], open: number, end: number, fence: FenceLine): string[] {
  const plain = lines
    .slice(open + 1, end)
    .map((line) => (fence.quotes === 0 ? line : (withoutQuotes(line, fence.quotes) ?? line)))
  if (fence.indent === 0) return plain
  const first = plain.find((line) => line.trim() !== '') ?? ''
  const columns = Math.min(fence.indent, columnsOf(first))
  return plain.map((line) => withoutIndent(line, columns))
}
