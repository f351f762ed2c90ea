import { invalidPathReason } from '../../sandbox/folders/paths.ts'
import { normalizePath, sizeLimits } from '../../sandbox/folders/workspace-path.ts'
import type { Rejected } from '../../schema/method/change.ts'
import type { FileEdit } from '../../strategy.ts'
import { type ScannedReply, scanBlocks } from '../blocks/scan-blocks.ts'
import { shortenRejected } from './shorten-rejected.ts'

/** Edits found in a reply, and the refused paths. */
interface FileBlocks {
  edits: FileEdit[]
  rejected: Rejected[]
}

// A "path" with one of these is prose or emphasis.
const notInPaths = /[`*]/

/**
 * Parses the file blocks of a reply: a line `FILE: path` followed by a fenced block with the whole new content, or
 * `DELETE: path`. The last block of a path wins. Refused paths are listed with their reasons.
 */
export function parseFileBlocks(reply: string): FileBlocks {
  if (!reply.includes('FILE') && !reply.includes('DELETE')) return { edits: [], rejected: [] }
  return readFileBlocks(scanBlocks(reply))
}

/** Reads the file blocks of a scanned reply. */
export function readFileBlocks({ parts }: ScannedReply): FileBlocks {
  const edits = new Map<string, FileEdit>()
  const rejected: Rejected[] = []
  const lone: string[] = []
  for (const part of parts) {
    if (part.kind === 'fence' || (part.kind === 'block' && !part.heading)) continue
    const { verb, written } = part.heading as NonNullable<typeof part.heading>
    const content = part.kind === 'block' ? part.content : null
    if (part.kind === 'heading' && verb === 'FILE') lone.push(written)
    else if (verb === 'FILE' || !notInPaths.test(written)) takeEdit(edits, rejected, written, content)
  }
  for (const written of lone)
    if (isLost(written, edits)) rejected.push({ path: written.slice(0, 200), reason: noBlock })
  return { edits: [...edits.values()], rejected: shortenRejected(rejected) }
}

const noBlock = 'has no fenced block behind its FILE: line'

function takeEdit(
  edits: Map<string, FileEdit>,
  rejected: Rejected[],
  written: string,
  content: string | null,
): void {
  const place = normalizePath(written)
  const reason = 'problem' in place ? place.problem : editProblem(edits, place.path, content)
  if ('problem' in place || reason !== undefined)
    rejected.push({ path: written.slice(0, 200), reason: reason ?? '' })
  else edits.set(place.path, { path: place.path, content })
}

function editProblem(edits: ReadonlyMap<string, FileEdit>, path: string, content: string | null) {
  if (notInPaths.test(path)) return invalidPathReason
  if (content !== null && Buffer.byteLength(content) > sizeLimits.fileBytes)
    return `is larger than ${sizeLimits.fileBytes} bytes`
  return edits.size >= sizeLimits.files && !edits.has(path)
    ? `comes after ${sizeLimits.files} others`
    : undefined
}

/** Whether a heading without a block names a file that no other block writes. A sentence behind `FILE:` is prose. */
function isLost(written: string, edits: ReadonlyMap<string, FileEdit>): boolean {
  if (/\s/.test(written) || notInPaths.test(written) || !/\w/.test(written) || written.includes('<'))
    return false
  const place = normalizePath(written)
  return !('path' in place) || !edits.has(place.path)
}
