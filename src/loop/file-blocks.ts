import { isAbsolute } from 'node:path/posix'
import { isWorkspacePath } from '../sandbox/paths.ts'
import type { Rejected } from '../schema/change.ts'
import type { FileEdit } from '../strategy.ts'

/** Edits found in a reply, and what was refused. */
export interface FileBlocks {
  edits: FileEdit[]
  rejected: Rejected[]
}

/** The most that one reply or folder may hand in: beyond it is no work on a task, and would fill memory and disk. */
export const largest = { fileBytes: 8 * 1024 * 1024, files: 10_000, bytes: 64 * 1024 * 1024 }

/** Why a path cannot stand in a workspace. */
export const leavesWorkspace = 'leads out of the workspace, or no file may be named so'

const heading = /^[ \t]*(?:#+[ \t]*|\*\*)?(FILE|DELETE):[ \t]*`?([^`*\n]+?)`?(?:\*\*)?[ \t]*$/
// No path is as long; on a longer line the pattern above would take time by its square.
const longestHeading = 2000
const openFence = /^[ \t]*(`{3,}|~{3,})[^`]*$/

/**
 * Reads the file blocks of a reply: a line `FILE: path` followed by a fenced block with the whole new content, or
 * `DELETE: path`. The last block of a path wins.
 */
export function parseFileBlocks(reply: string): FileBlocks {
  const edits = new Map<string, FileEdit>()
  const rejected: Rejected[] = []
  if (!reply.includes('FILE:') && !reply.includes('DELETE:')) return { edits: [], rejected }
  const take = (written: string, content: string | null) => {
    const path = normalisePath(written)
    const reason =
      path === undefined
        ? leavesWorkspace
        : content !== null && Buffer.byteLength(content) > largest.fileBytes
          ? `is larger than ${largest.fileBytes} bytes`
          : edits.size >= largest.files && !edits.has(path)
            ? `comes after ${largest.files} others`
            : undefined
    if (path === undefined || reason !== undefined)
      rejected.push({ path: written.slice(0, 200), reason: reason ?? '' })
    else edits.set(path, { path, content })
  }
  const lines = reply.split('\n')
  const fences = fenceReader(lines)
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const match = line.length > longestHeading ? undefined : heading.exec(line)
    if (!match) continue
    if (match[1] === 'DELETE') {
      take(match[2] ?? '', null)
      continue
    }
    let start = i + 1
    while (start < lines.length && lines[start]?.trim() === '') start++
    const block = fences(start)
    if (!block) continue
    i = block.end
    take(match[2] ?? '', block.content)
  }
  return { edits: [...edits.values()], rejected: rejected.slice(0, mostTold) }
}

// Whoever hands in so much nonsense need not see it listed.
const mostTold = 100

/** The fenced code blocks of a reply that stand under no `FILE:` line. */
export function parseCodeBlocks(reply: string): string[] {
  const lines = reply.split('\n')
  const fences = fenceReader(lines)
  const blocks: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const block = fences(i)
    if (!block) continue
    blocks.push(block.content)
    i = block.end
  }
  return blocks
}

/** A path inside the workspace, with `/` and without `.`; undefined when it is absolute, climbs out, or cannot name a file. */
export function normalisePath(path: string): string | undefined {
  const cleaned = path.trim().replaceAll('\\', '/')
  if (cleaned === '' || isAbsolute(cleaned) || /^[a-z]:/i.test(cleaned) || cleaned.includes('\0'))
    return undefined
  const parts = cleaned.split('/').filter((part) => part !== '' && part !== '.')
  const normal = parts.join('/')
  return isWorkspacePath(normal) ? normal : undefined
}

/** Reads the fenced block that begins on a line, if one does. */
function fenceReader(
  lines: readonly string[],
): (start: number) => { content: string; end: number } | undefined {
  // The shortest fence of each kind that is known to stay open: looking again for each would take time by the square.
  const open = new Map<string, number>()
  return (start) => {
    const fence = openFence.exec(lines[start] ?? '')?.[1]
    const kind = fence?.[0]
    if (!fence || !kind || fence.length >= (open.get(kind) ?? Number.POSITIVE_INFINITY)) return undefined
    const close = new RegExp(`^[ \\t]*\\${kind}{${fence.length},}[ \\t]*$`)
    for (let end = start + 1; end < lines.length; end++) {
      if (!close.test(lines[end] ?? '')) continue
      const content = lines.slice(start + 1, end).map((line) => `${line}\n`)
      return { content: content.join(''), end }
    }
    open.set(kind, fence.length)
    return undefined
  }
}
