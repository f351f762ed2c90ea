import { isAbsolute } from 'node:path/posix'
import type { FileEdit } from '../strategy.ts'

/** Edits found in a reply, and the paths that were refused because they leave the workspace. */
export interface FileBlocks {
  edits: FileEdit[]
  rejected: string[]
}

const heading = /^[ \t]*(?:#+[ \t]*|\*\*)?(FILE|DELETE):[ \t]*`?([^`*\n]+?)`?(?:\*\*)?[ \t]*$/
const openFence = /^[ \t]*(`{3,}|~{3,})[^`]*$/

/**
 * Reads the file blocks of a reply: a line `FILE: path` followed by a fenced block with the whole new content, or
 * `DELETE: path`. The last block of a path wins.
 */
export function parseFileBlocks(reply: string): FileBlocks {
  const edits = new Map<string, FileEdit>()
  const rejected: string[] = []
  if (!reply.includes('FILE:') && !reply.includes('DELETE:')) return { edits: [], rejected }
  const lines = reply.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const match = heading.exec(lines[i] ?? '')
    if (!match) continue
    const path = normalisePath(match[2] ?? '')
    if (match[1] === 'DELETE') {
      if (path === undefined) rejected.push(match[2] ?? '')
      else edits.set(path, { path, content: null })
      continue
    }
    let start = i + 1
    while (start < lines.length && lines[start]?.trim() === '') start++
    const block = readFence(lines, start)
    if (!block) continue
    i = block.end
    if (path === undefined) rejected.push(match[2] ?? '')
    else edits.set(path, { path, content: block.content })
  }
  return { edits: [...edits.values()], rejected }
}

/** The fenced code blocks of a reply that stand under no `FILE:` line. */
export function parseCodeBlocks(reply: string): string[] {
  const lines = reply.split('\n')
  const blocks: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const block = readFence(lines, i)
    if (!block) continue
    blocks.push(block.content)
    i = block.end
  }
  return blocks
}

/** A path inside the workspace, with `/` and without `.`; undefined when it is absolute or climbs out. */
export function normalisePath(path: string): string | undefined {
  const cleaned = path.trim().replaceAll('\\', '/')
  if (cleaned === '' || isAbsolute(cleaned) || /^[a-z]:/i.test(cleaned) || cleaned.includes('\0'))
    return undefined
  const parts = cleaned.split('/').filter((part) => part !== '' && part !== '.')
  return parts.length === 0 || parts.includes('..') ? undefined : parts.join('/')
}

function readFence(lines: readonly string[], start: number): { content: string; end: number } | undefined {
  const fence = openFence.exec(lines[start] ?? '')?.[1]
  if (!fence) return undefined
  const close = new RegExp(`^[ \\t]*\\${fence[0]}{${fence.length},}[ \\t]*$`)
  for (let end = start + 1; end < lines.length; end++) {
    if (!close.test(lines[end] ?? '')) continue
    return {
      content: lines
        .slice(start + 1, end)
        .map((line) => `${line}\n`)
        .join(''),
      end,
    }
  }
  return undefined
}
