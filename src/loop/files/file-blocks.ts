import { isAbsolute } from 'node:path/posix'
import { invalidPathReason, pathProblem } from '../../sandbox/folders/paths.ts'
import { isVersionControlPath, versionControlReason } from '../../sandbox/machine/version-control.ts'
import type { Rejected } from '../../schema/method/change.ts'
import type { FileEdit } from '../../strategy.ts'

/** Edits found in a reply, and what was refused. */
interface FileBlocks {
  edits: FileEdit[]
  rejected: Rejected[]
}

/** The most that one reply or folder may hand in: beyond it is no work on a task, and would fill memory and disk. */
export const largest = { fileBytes: 8 * 1024 * 1024, files: 10_000, bytes: 64 * 1024 * 1024 }

const heading = /^[ \t]*(?:#+[ \t]*)?(?:\*\*)?(FILE|DELETE):(?:\*\*)?/
// Nobody writes longer ones, and each length that is never closed is looked for once in all of the reply.
const openFence = /^[ \t]*(`{3,64}|~{3,64})[^`]*$/
// Where these stand in a path, a line of prose or of emphasis was meant.
const noPath = /[`*]/

/**
 * Reads the file blocks of a reply: a line `FILE: path` followed by a fenced block with the whole new content, or
 * `DELETE: path`. The last block of a path wins.
 */
export function parseFileBlocks(reply: string): FileBlocks {
  const edits = new Map<string, FileEdit>()
  const rejected: Rejected[] = []
  for (const { written, content } of headedBlocks(reply)) {
    const place = placeOf(written)
    const reason =
      'problem' in place
        ? place.problem
        : noPath.test(place.path)
          ? invalidPathReason
          : content !== null && Buffer.byteLength(content) > largest.fileBytes
            ? `is larger than ${largest.fileBytes} bytes`
            : edits.size >= largest.files && !edits.has(place.path)
              ? `comes after ${largest.files} others`
              : undefined
    if ('problem' in place || reason !== undefined)
      rejected.push({ path: written.slice(0, 200), reason: reason ?? '' })
    else edits.set(place.path, { path: place.path, content })
  }
  return { edits: [...edits.values()], rejected: listed(rejected) }
}

// Whoever hands in so much nonsense need not see it listed; a step with a million of them could hardly be read.
const mostTold = 100

/** What was refused, as a step tells it: where that is a great many, the first of them and how many more. */
export function listed(rejected: readonly Rejected[], most = mostTold): Rejected[] {
  const more = rejected.length - most
  if (more <= 0) return [...rejected]
  return [...rejected.slice(0, most), { path: `(${more} more)`, reason: 'refused as well' }]
}

/** The fenced code blocks of a reply that have nothing in common with a block under a `FILE:` line, taken or refused. */
export function parseCodeBlocks(reply: string): string[] {
  const lines = reply.split('\n')
  const fences = fenceReader(lines)
  const headed = headedBlocks(reply)
  const blocks: string[] = []
  let next = 0
  for (let i = 0; i < lines.length; i++) {
    while ((headed[next]?.end ?? lines.length) < i) next++
    const { begin = lines.length, end = lines.length } = headed[next] ?? {}
    if (i >= begin) {
      i = end
      continue
    }
    const close = fences(i)
    // A fence around file blocks, as some models write, is no code.
    if (close === undefined || close >= begin) continue
    blocks.push(within(lines, i, close))
    i = close
  }
  return blocks
}

/** What stands under a heading, and the lines that it takes. */
interface HeadedBlock {
  /** The path as it was written. */
  written: string
  /** Null: to be deleted. */
  content: string | null
  begin: number
  end: number
}

function headedBlocks(reply: string): HeadedBlock[] {
  if (!reply.includes('FILE:') && !reply.includes('DELETE:')) return []
  const lines = reply.split('\n')
  const fences = fenceReader(lines)
  const blocks: HeadedBlock[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const match = heading.exec(line)
    const written = match ? undressed(line.slice(match[0].length)) : ''
    if (!match || written === '') continue
    if (match[1] === 'DELETE') {
      if (!noPath.test(written)) blocks.push({ written, content: null, begin: i, end: i })
      continue
    }
    let start = i + 1
    while (start < lines.length && lines[start]?.trim() === '') start++
    const close = fences(start)
    if (close === undefined) continue
    blocks.push({ written, content: within(lines, start, close), begin: i, end: close })
    i = close
  }
  return blocks
}

/** A path without the code ticks and the emphasis that models put around it. */
function undressed(written: string): string {
  return written.trim().replace(/\*\*$/, '').replace(/^`|`$/g, '').trim()
}

/** Why an agent or a method may make no file of this path; undefined: it may. */
export function madePathProblem(path: string): string | undefined {
  return pathProblem(path) ?? (isVersionControlPath(path) ? versionControlReason : undefined)
}

/** A path inside the workspace, with `/` and without `.`; else why it is none: absolute, climbing out, no name for a file, of a version control tool. */
export function placeOf(path: string): { path: string } | { problem: string } {
  const cleaned = path.trim().replaceAll('\\', '/')
  if (cleaned === '' || isAbsolute(cleaned) || /^[a-z]:/i.test(cleaned) || cleaned.includes('\0'))
    return { problem: invalidPathReason }
  const parts = cleaned.split('/').filter((part) => part !== '' && part !== '.')
  const normal = parts.join('/')
  const problem = madePathProblem(normal)
  return problem === undefined ? { path: normal } : { problem }
}

/** Says on which line the fenced block ends that begins on a line, if one does. */
function fenceReader(lines: readonly string[]): (start: number) => number | undefined {
  // Looking again for each would take time by the square: a fence that stays open is known by the shortest of its kind,
  // and those alike that stand before a closing one are closed by the same.
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

/** The text between two lines. */
function within(lines: readonly string[], open: number, close: number): string {
  return lines
    .slice(open + 1, close)
    .map((line) => `${line}\n`)
    .join('')
}
