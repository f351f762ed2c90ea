import { invalidPathReason } from '../../sandbox/folders/paths.ts'
import { normalizePath, sizeLimits } from '../../sandbox/folders/workspace-path.ts'
import type { Rejected } from '../../schema/method/change.ts'
import type { FileEdit } from '../../strategy.ts'

/** Edits found in a reply, and the refused paths. */
interface FileBlocks {
  edits: FileEdit[]
  rejected: Rejected[]
}

const heading = /^[ \t]*(?:#+[ \t]*)?(?:\*\*)?(FILE|DELETE):(?:\*\*)?/
// The length is limited, since each length of an unclosed fence costs a search through the whole reply.
const openFence = /^[ \t]*(`{3,64}|~{3,64})[^`]*$/
// A "path" with one of these is prose or emphasis.
const notInPaths = /[`*]/

/**
 * Parses the file blocks of a reply: a line `FILE: path` followed by a fenced block with the whole new content, or
 * `DELETE: path`. The last block of a path wins.
 */
export function parseFileBlocks(reply: string): FileBlocks {
  const edits = new Map<string, FileEdit>()
  const rejected: Rejected[] = []
  for (const { written, content } of parseHeadedBlocks(reply)) {
    const place = normalizePath(written)
    const reason =
      'problem' in place
        ? place.problem
        : notInPaths.test(place.path)
          ? invalidPathReason
          : content !== null && Buffer.byteLength(content) > sizeLimits.fileBytes
            ? `is larger than ${sizeLimits.fileBytes} bytes`
            : edits.size >= sizeLimits.files && !edits.has(place.path)
              ? `comes after ${sizeLimits.files} others`
              : undefined
    if ('problem' in place || reason !== undefined)
      rejected.push({ path: written.slice(0, 200), reason: reason ?? '' })
    else edits.set(place.path, { path: place.path, content })
  }
  return { edits: [...edits.values()], rejected: shortenRejected(rejected) }
}

// A step that lists a million refused paths could not be read.
const maxListed = 100

/** Shortens a long list of refused paths to the first ones and the number of the others. */
export function shortenRejected(rejected: readonly Rejected[], max = maxListed): Rejected[] {
  const more = rejected.length - max
  if (more <= 0) return [...rejected]
  return [...rejected.slice(0, max), { path: `(${more} more)`, reason: 'refused as well' }]
}

/** Parses the fenced code blocks of a reply that do not overlap a block under a `FILE:` line. */
export function parseCodeBlocks(reply: string): string[] {
  const lines = reply.split('\n')
  const findFenceEnd = createFenceFinder(lines)
  const headed = parseHeadedBlocks(reply)
  const blocks: string[] = []
  let next = 0
  for (let i = 0; i < lines.length; i++) {
    while ((headed[next]?.end ?? lines.length) < i) next++
    const { begin = lines.length, end = lines.length } = headed[next] ?? {}
    if (i >= begin) {
      i = end
      continue
    }
    const close = findFenceEnd(i)
    // Some models put a fence around their file blocks. That is not code.
    if (close === undefined || close >= begin) continue
    blocks.push(within(lines, i, close))
    i = close
  }
  return blocks
}

/** A `FILE:` or `DELETE:` line with its content, and the lines that it spans. */
interface HeadedBlock {
  /** The path as it was written. */
  written: string
  /** Null: the file is deleted. */
  content: string | null
  begin: number
  end: number
}

function parseHeadedBlocks(reply: string): HeadedBlock[] {
  if (!reply.includes('FILE:') && !reply.includes('DELETE:')) return []
  const lines = reply.split('\n')
  const findFenceEnd = createFenceFinder(lines)
  const blocks: HeadedBlock[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const match = heading.exec(line)
    const written = match ? stripMarkup(line.slice(match[0].length)) : ''
    if (!match || written === '') continue
    if (match[1] === 'DELETE') {
      if (!notInPaths.test(written)) blocks.push({ written, content: null, begin: i, end: i })
      continue
    }
    let start = i + 1
    while (start < lines.length && lines[start]?.trim() === '') start++
    const close = findFenceEnd(start)
    if (close === undefined) continue
    blocks.push({ written, content: within(lines, start, close), begin: i, end: close })
    i = close
  }
  return blocks
}

/** Removes the code ticks and the emphasis that models put around a path. */
function stripMarkup(written: string): string {
  return written.trim().replace(/\*\*$/, '').replace(/^`|`$/g, '').trim()
}

/** Returns a function that finds the last line of the fenced block that begins on a line; undefined if there is none. */
function createFenceFinder(lines: readonly string[]): (start: number) => number | undefined {
  // Searching the rest of the reply for every fence would take quadratic time. `open` holds the shortest fence of each kind
  // that is never closed; `closed` holds the closing line that all equal fences before it share.
  const open = new Map<string, number>()
  const closed = new Map<string, number>()
  return (start) => {
    const fence = openFence.exec(lines[start] ?? '')?.[1]
    const kind = fence?.[0]
    if (!fence || !kind || fence.length >= (open.get(kind) ?? Number.POSITIVE_INFINITY)) return undefined
    const known = closed.get(fence)
    if (known !== undefined && known > start) return known
    const close = new RegExp(`^[ \\t]*\\${kind}{${fence.length},}[ \\t]*$`)
    for (let end = start + 1; end < lines.length; end++) {
      if (!close.test(lines[end] ?? '')) continue
      closed.set(fence, end)
      return end
    }
    open.set(kind, fence.length)
    return undefined
  }
}

/** Returns the text between two lines. */
function within(lines: readonly string[], open: number, close: number): string {
  return lines
    .slice(open + 1, close)
    .map((line) => `${line}\n`)
    .join('')
}
