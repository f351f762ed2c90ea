import { invalidPathReason, normalizePath, sizeLimits } from '../../sandbox/folders/paths.ts'
import type { Rejected } from '../../schema/method/change.ts'
import type { FileEdit } from '../../strategy.ts'
import { type ScannedReply, scanBlocks } from '../blocks/scan-blocks.ts'
import { shortenRejected } from './shorten-rejected.ts'

/** Edits found in a reply, and the refused paths. */
interface FileBlocks {
  edits: FileEdit[]
  rejected: Rejected[]
}

interface Found {
  edits: Map<string, FileEdit>
  rejected: Rejected[]
  /** The written path of each spelling. */
  spellings: Map<string, string>
}

// A "path" with one of these is prose or emphasis.
const notInPaths = /[`*]/

/**
 * Parses the file blocks of a reply: a line `FILE: path` followed by a fenced block with the whole new content, or
 * `DELETE: path`. The last block of a path wins; another spelling of it (`A.txt` beside `a.txt`) is refused. Refused paths are listed
 * with their reasons.
 */
export function parseFileBlocks(reply: string): FileBlocks {
  if (!reply.includes('FILE') && !reply.includes('DELETE')) return { edits: [], rejected: [] }
  return readFileBlocks(scanBlocks(reply))
}

/** Reads the file blocks of a scanned reply. */
export function readFileBlocks({ parts }: ScannedReply): FileBlocks {
  const found: Found = { edits: new Map(), rejected: [], spellings: new Map() }
  const { edits, rejected } = found
  const lone: string[] = []
  for (const part of parts) {
    if (part.kind === 'fence' || (part.kind === 'block' && !part.heading)) continue
    const { verb, written } = part.heading as NonNullable<typeof part.heading>
    const content = part.kind === 'block' ? part.content : null
    if (part.kind === 'heading' && verb === 'FILE') lone.push(written)
    else if (part.kind === 'block' && part.isUnclear)
      rejected.push({ path: written.slice(0, 200), reason: unclearEnd })
    else if (verb === 'FILE' || !notInPaths.test(written)) takeEdit(found, written, content)
  }
  for (const written of lone)
    if (isLost(written, edits)) rejected.push({ path: written.slice(0, 200), reason: noBlock })
  return { edits: [...edits.values()], rejected: shortenRejected(rejected) }
}

const unclearEnd =
  'holds fences that do not come in pairs, so its end is in doubt: put a longer fence around it'
const noBlock = 'has no fenced block behind its FILE: line'

function takeEdit(found: Found, written: string, content: string | null): void {
  const place = normalizePath(written)
  const reason = 'problem' in place ? place.problem : editProblem(found, place.path, content)
  if ('problem' in place || reason !== undefined) {
    found.rejected.push({ path: written.slice(0, 200), reason: reason ?? '' })
    return
  }
  found.edits.set(place.path, { path: place.path, content })
  if (content === null) found.spellings.delete(spellingOf(place.path))
  else found.spellings.set(spellingOf(place.path), place.path)
}

// A link to another path, or two paths.
const linked = /^\[[^\]]*\]\(.*\)$/
const several = /^\S+\.\w{1,10}(?:[,;][ \t]*|[ \t]+(?:and|&)[ \t]+)\S.*\.\w{1,10}$/

function editProblem({ edits, spellings }: Found, path: string, content: string | null): string | undefined {
  if (notInPaths.test(path) || linked.test(path)) return invalidPathReason
  if (path.length < 400 && several.test(path)) return 'names several files: a block holds one'
  if (content !== null && Buffer.byteLength(content) > sizeLimits.fileBytes)
    return `is larger than ${sizeLimits.fileBytes} bytes`
  const other = content === null ? undefined : spellings.get(spellingOf(path))
  if (other !== undefined && other !== path) return `is another spelling of ${shortPath(other)}`
  return edits.size >= sizeLimits.files && !edits.has(path)
    ? `comes after ${sizeLimits.files} others`
    : undefined
}

const shortPath = (path: string) => (path.length > 200 ? `${path.slice(0, 200)}…` : path)

/** Returns what the spellings of a path have in common that differ in case or in the way accents are written. */
const spellingOf = (path: string) => path.normalize('NFC').toLowerCase()

/** Whether a heading without a block names a file that no other block writes. A sentence behind `FILE:` is prose. */
function isLost(written: string, edits: ReadonlyMap<string, FileEdit>): boolean {
  if (/\s/.test(written) || notInPaths.test(written) || !/\w/.test(written) || written.includes('<'))
    return false
  const place = normalizePath(written)
  return !('path' in place) || !edits.has(place.path)
}
