import type { Task } from '../schema/task.ts'
import type { FileEdit } from '../strategy.ts'
import { completeFunction } from './code/complete-function.ts'
import { readCode } from './code/read-code.ts'
import { changesIn } from './file-text.ts'
import { type FileBlocks, readFileBlocks, shortenRejected } from './files.ts'
import { patchesIn, readNamedBlocks } from './named-blocks.ts'
import { scanReply } from './scan.ts'
import { partsOf, type Region, type ScannedReply } from './scan-regions.ts'

/** What a reply delivers: edits of the task's files, the paths that were refused, and what was read with doubt. */
interface Work extends FileBlocks {
  /** Where the work stood in the reply, in plain words, such as `the first block that defines total`. */
  found?: string
}

/**
 * Reads the work of a reply, without thoughts, to a task that wants files or a function: its file blocks; for a function also its
 * code, unless a file block writes the task's file. Empty for a task that wants an answer. The reply of an agent with tools may show
 * files that it wrote before: with `isAfterTools`, only `FILE:` lines name files.
 */
export function readWork(task: Task, reply: string, isAfterTools = false): Work {
  const { spec } = task
  if (spec.output === 'answer') return { edits: [], rejected: [], notes: [] }
  const scanned = scanReply(reply)
  const { lines, regions } = scanned
  const path = spec.output === 'function' ? spec.editable[0] : undefined
  // In its own block, the name of the function's file is a comment of its code.
  const parts = partsOf(regions).map((part) =>
    part.kind === 'fence' && part.isOwnedWithin && part.owner?.written === path
      ? { ...part, owner: undefined }
      : part,
  )
  const own = readFileBlocks(parts, task.files)
  if (path === undefined) {
    const work = isAfterTools ? own : withNamed(task, own, scanned, parts.some(hasHeading))
    return work.edits.length > 0 ? { ...work, found: wordsOf(work.edits) } : work
  }
  const hasFiles = own.edits.length > 0
  const files: Work = hasFiles ? { ...own, found: wordsOf(own.edits) } : own
  if (own.edits.some((edit) => edit.path === path)) return files
  const code = readCode(task, { lines, parts: parts.map(withoutPatch) })
  if (code === undefined && !hasFiles)
    return { ...own, rejected: shortenRejected([...own.rejected, ...patchesIn(scanned, task.files, path)]) }
  // Beside files, only code that defines the function surely is no example.
  if (code === undefined || (hasFiles && !code.isDefined)) return files
  const edit = { path, content: completeFunction(task, code.code, code.facts) }
  const found = hasFiles ? `${code.found}, and ${files.found}` : code.found
  return { ...own, edits: [...own.edits, edit], found }
}

const hasHeading = (part: Region) =>
  part.kind === 'file' || (part.kind === 'fence' && part.owner !== undefined)

/** A block that says how a file changes is no code. */
const withoutPatch = (part: Region): Region =>
  part.kind === 'fence' && !part.owner && changesIn(part.content, part.info)
    ? { ...part, kind: 'stray' }
    : part

/** Adds the files of blocks without a `FILE:` line. */
function withNamed(task: Task, own: FileBlocks, scanned: ScannedReply, hasHeading: boolean): FileBlocks {
  const written = new Set([...own.edits, ...own.rejected].map(({ path }) => path))
  const { blocks, rejected, notes } = readNamedBlocks(scanned, task.files, hasHeading ? written : undefined)
  const named = readFileBlocks(blocks, task.files)
  return {
    edits: [...own.edits, ...named.edits],
    rejected: shortenRejected([...own.rejected, ...rejected, ...named.rejected]),
    notes: [...own.notes, ...notes, ...named.notes],
  }
}

const wordsOf = (edits: readonly FileEdit[]) =>
  edits.length === 1 ? `the file block of ${edits[0]?.path}` : `the file blocks of ${edits.length} files`
