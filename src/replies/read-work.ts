import type { Task } from '../schema/task.ts'
import type { FileEdit } from '../strategy.ts'
import { completeFunction } from './code/complete-function.ts'
import { readCode } from './code/read-code.ts'
import { type FileBlocks, readFileBlocks, shortenRejected } from './files.ts'
import { readNamedBlocks } from './named-blocks.ts'
import { scanReply } from './scan.ts'
import { partsOf, type Region, type ScannedReply } from './scan-regions.ts'

/** What a reply delivers: edits of the task's files, the paths that were refused, and what was read with doubt. */
interface Work extends FileBlocks {
  /** Where the work stood in the reply, in plain words, such as `the first block that defines total`. */
  found?: string
}

/**
 * Reads the work of a reply, without thoughts, to a task that wants files or a function: its file blocks; for a function also its
 * code, unless a file block writes the task's file. Empty for a task that wants an answer.
 */
export function readWork(task: Task, reply: string): Work {
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
  const work = readFileBlocks(parts, task.files)
  if (path === undefined && !hasHeading(parts)) return readNamed(task, scanned)
  const hasFiles = work.edits.length > 0
  const files: Work = hasFiles ? { ...work, found: wordsOf(work.edits) } : work
  if (path === undefined) return files
  if (work.edits.some((edit) => edit.path === path)) return files
  const code = readCode(task, { lines, parts })
  // Beside files, only code that defines the function surely is no example.
  if (code === undefined || (hasFiles && !code.isDefined)) return files
  const edit = { path, content: completeFunction(task, code.code, code.facts) }
  const found = hasFiles ? `${code.found}, and ${files.found}` : code.found
  return { ...work, edits: [...work.edits, edit], found }
}

const hasHeading = (parts: readonly Region[]) =>
  parts.some((part) => part.kind === 'file' || (part.kind === 'fence' && part.owner !== undefined))

/** Reads the files of a reply without any `FILE:` line. */
function readNamed(task: Task, scanned: ScannedReply): Work {
  const { blocks, rejected, notes } = readNamedBlocks(scanned, task.files)
  const work = readFileBlocks(blocks, task.files)
  return {
    edits: work.edits,
    rejected: shortenRejected([...rejected, ...work.rejected]),
    notes: [...notes, ...work.notes],
    ...(work.edits.length > 0 && { found: wordsOf(work.edits) }),
  }
}

const wordsOf = (edits: readonly FileEdit[]) =>
  edits.length === 1 ? `the file block of ${edits[0]?.path}` : `the file blocks of ${edits.length} files`
