import { invalidPathReason, normalizePath, sizeLimits } from '../sandbox/folders/paths.ts'
import type { Rejected } from '../schema/method/change.ts'
import type { Files } from '../schema/task.ts'
import type { FileEdit } from '../strategy.ts'
import { contentProblem, withoutProse } from './file-text.ts'
import { scanReply } from './scan.ts'
import { type FileHeading, readHeading } from './scan-headings.ts'
import { type Fence, partsOf, type Region } from './scan-regions.ts'

/** Edits found in a reply, the refused paths, and what was read with doubt, in plain sentences. */
export interface FileBlocks {
  edits: FileEdit[]
  rejected: Rejected[]
  notes: string[]
}

interface Found {
  edits: Map<string, FileEdit>
  rejected: Rejected[]
  notes: Set<string>
  /** The written path of each spelling. */
  spellings: Map<string, string>
  /** The files of the task. */
  given: Files
}

// A "path" with one of these is prose or emphasis.
const notInPaths = /[`*]/

/**
 * Parses the file blocks of a reply: a line `FILE: path`, before a fenced block with the whole new content or as its first line, or
 * `DELETE: path`. The last block of a path wins; another spelling of it (`A.txt` beside `a.txt`) is refused. Refused paths are listed
 * with their reasons.
 */
export function parseFileBlocks(reply: string): FileBlocks {
  if (!reply.includes('FILE') && !reply.includes('DELETE')) return { edits: [], rejected: [], notes: [] }
  return readFileBlocks(partsOf(scanReply(reply).regions))
}

/** Reads the file blocks among the parts of a reply to a task with these files. */
export function readFileBlocks(parts: readonly Region[], given: Files = {}): FileBlocks {
  const found: Found = { edits: new Map(), rejected: [], notes: new Set(), spellings: new Map(), given }
  const { edits, rejected, notes } = found
  const lone: string[] = []
  for (const part of parts) {
    if (part.kind === 'file') {
      const { verb, written } = part.heading
      if (verb === 'FILE') lone.push(written)
      else if (!notInPaths.test(written)) takeEdit(found, part.heading, null)
    }
    if (part.kind !== 'fence' || !part.owner) continue
    if (part.isUnclear) reject(rejected, part.owner.written, unclearEnd)
    else for (const { heading, content } of filesIn(part, part.owner)) takeEdit(found, heading, content, part)
  }
  for (const written of lone) if (isLost(written, edits)) reject(rejected, written, noBlock)
  return {
    edits: [...edits.values()],
    rejected: shortenRejected(rejected),
    notes: [...notes].slice(0, maxListed),
  }
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
): { heading: FileHeading; content: string | null }[] {
  if (!isOwnedWithin) return [{ heading: owner, content }]
  const files: { heading: FileHeading; lines: string[] | null }[] = [{ heading: owner, lines: [] }]
  for (const line of content.split('\n').slice(0, -1)) {
    const heading = readHeading(line)
    if (heading) files.push({ heading, lines: heading.verb === 'FILE' ? [] : null })
    else files.at(-1)?.lines?.push(line)
  }
  return files.map(({ heading, lines }) => ({
    heading,
    content: lines?.map((line) => `${line}\n`).join('') ?? null,
  }))
}

function takeEdit(found: Found, heading: FileHeading, whole: string | null, block?: Fence): void {
  const { edits, rejected, notes, spellings, given } = found
  const { remarked } = heading
  const isName = remarked !== undefined && Object.hasOwn(given, remarked)
  const written = isName ? remarked : heading.written
  const place = normalizePath(written)
  const content = whole === null || block?.isClosed !== false ? whole : withoutProse(whole, written)
  const reason =
    'problem' in place
      ? place.problem
      : (editProblem(found, place.path, content) ?? contentProblem(heading, content, block?.info))
  if ('problem' in place || reason !== undefined) {
    reject(rejected, written, reason ?? '')
    return
  }
  const { path } = place
  const name = JSON.stringify(path)
  if (remarked !== undefined && !isName) notes.add(`${name} was named ${JSON.stringify(remarked)}`)
  else if (/\s/.test(path) && !Object.hasOwn(given, path))
    notes.add(`${name} was taken as a name with spaces`)
  if (content !== whole) notes.add(`${name} has no closing fence: the prose behind its code was left out`)
  const before = edits.get(path)?.content
  if (typeof before === 'string' && content !== null && before !== content)
    notes.add(`${name} was given more than once: the last one counts`)
  edits.set(path, { path, content })
  if (content === null) spellings.delete(spellingOf(path))
  else spellings.set(spellingOf(path), path)
}

// A link to another path, or two paths.
const linked = /^\[[^\]]*\]\(.*\)$/
const several = /^\S+\.\w{1,10}(?:[,;][ \t]*|[ \t]+(?:and|&|[-=]+>|→)[ \t]+)\S.*\.\w{1,10}$/

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
  if (rejected.length <= max) return [...rejected]
  // A list that was shortened before has such an entry, too.
  return [...rejected.slice(0, max), { path: `(${countRejected(rejected.slice(max))} more)`, reason: others }]
}

/** Returns how many paths were refused, also of a shortened list. */
export const countRejected = (rejected: readonly Rejected[]): number =>
  rejected.reduce(
    (sum, { path, reason }) =>
      sum + (reason === others ? Number(/^\((\d+) more\)$/.exec(path)?.[1] ?? 1) : 1),
    0,
  )
