import { invalidPathReason, normalizePath, sizeLimits } from '../sandbox/folders/paths.ts'
import type { Rejected } from '../schema/method/change.ts'
import type { FileEdit } from '../strategy.ts'
import { scanReply } from './scan.ts'
import { type FileHeading, readHeading } from './scan-fences.ts'
import { type Fence, partsOf, type Region } from './scan-regions.ts'

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
 * Parses the file blocks of a reply: a line `FILE: path`, before a fenced block with the whole new content or as its first line, or
 * `DELETE: path`. The last block of a path wins; another spelling of it (`A.txt` beside `a.txt`) is refused. Refused paths are listed
 * with their reasons.
 */
export function parseFileBlocks(reply: string): FileBlocks {
  if (!reply.includes('FILE') && !reply.includes('DELETE')) return { edits: [], rejected: [] }
  return readFileBlocks(partsOf(scanReply(reply).regions))
}

/** Reads the file blocks among the parts of a reply. */
export function readFileBlocks(parts: readonly Region[]): FileBlocks {
  const found: Found = { edits: new Map(), rejected: [], spellings: new Map() }
  const { edits, rejected } = found
  const lone: string[] = []
  for (const part of parts) {
    if (part.kind === 'file') {
      const { verb, written } = part.heading
      if (verb === 'FILE') lone.push(written)
      else if (!notInPaths.test(written)) takeEdit(found, written, null)
    }
    if (part.kind !== 'fence' || !part.owner) continue
    if (part.isUnclear) reject(rejected, part.owner.written, unclearEnd)
    else for (const { written, content } of filesIn(part, part.owner)) takeEdit(found, written, content)
  }
  for (const written of lone) if (isLost(written, edits)) reject(rejected, written, noBlock)
  return { edits: [...edits.values()], rejected: shortenRejected(rejected) }
}

const unclearEnd =
  'holds fences that do not come in pairs, so its end is in doubt: put a longer fence around it'
const noBlock = 'has no fenced block behind its FILE: line'

const reject = (rejected: Rejected[], written: string, reason: string) =>
  rejected.push({ path: written.slice(0, 200), reason })

/** Returns the files of a block. One whose first line is a `FILE:` line may hold further ones. */
function filesIn(
  { content, isOwnedWithin }: Fence,
  owner: FileHeading,
): { written: string; content: string | null }[] {
  if (!isOwnedWithin) return [{ written: owner.written, content }]
  const files: { written: string; lines: string[] | null }[] = [{ written: owner.written, lines: [] }]
  for (const line of content.split('\n').slice(0, -1)) {
    const heading = readHeading(line)
    if (heading) files.push({ written: heading.written, lines: heading.verb === 'FILE' ? [] : null })
    else files.at(-1)?.lines?.push(line)
  }
  return files.map(({ written, lines }) => ({
    written,
    content: lines?.map((line) => `${line}\n`).join('') ?? null,
  }))
}

function takeEdit(found: Found, written: string, content: string | null): void {
  const place = normalizePath(written)
  const reason = 'problem' in place ? place.problem : editProblem(found, place.path, content)
  if ('problem' in place || reason !== undefined) {
    reject(found.rejected, written, reason ?? '')
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
  if (other !== undefined && other !== path)
    return `is another spelling of ${other.length > 200 ? `${other.slice(0, 200)}…` : other}`
  return edits.size >= sizeLimits.files && !edits.has(path)
    ? `comes after ${sizeLimits.files} others`
    : undefined
}

/** Returns what the spellings of a path have in common that differ in case or in the way accents are written. */
const spellingOf = (path: string) => path.normalize('NFC').toLowerCase()

/** Whether a heading without a block names a file that no other block writes. A sentence behind `FILE:` is prose. */
function isLost(written: string, edits: ReadonlyMap<string, FileEdit>): boolean {
  if (/\s/.test(written) || notInPaths.test(written) || !/\w/.test(written) || written.includes('<'))
    return false
  const place = normalizePath(written)
  return !('path' in place) || !edits.has(place.path)
}

// A step that lists a million refused paths could not be read.
const maxListed = 100
/** The reason of the entry that stands for the others. */
const others = 'refused as well'

/** Shortens a long list of refused paths to the first ones and the number of the others. */
export function shortenRejected(rejected: readonly Rejected[], max = maxListed): Rejected[] {
  const more = rejected.length - max
  if (more <= 0) return [...rejected]
  return [...rejected.slice(0, max), { path: `(${more} more)`, reason: others }]
}

/** Returns how many paths were refused, also of a shortened list. */
export const countRejected = (rejected: readonly Rejected[]): number =>
  rejected.reduce(
    (sum, { path, reason }) =>
      sum + (reason === others ? Number(/^\((\d+) more\)$/.exec(path)?.[1] ?? 1) : 1),
    0,
  )
