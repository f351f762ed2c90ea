import type { Rejected } from '../schema/method/change.ts'
import type { Task } from '../schema/task.ts'
import type { FileEdit } from '../strategy.ts'
import { completeFunction } from './code/complete-function.ts'
import { parseCodeBlocks, parseFileBlocks } from './files/file-blocks.ts'

/** What a reply delivers: edits of the task's files, and the paths that were refused. */
export interface Work {
  edits: FileEdit[]
  rejected: Rejected[]
}

/**
 * Reads the work of a reply, without thoughts, to a task that wants files or a function: its file blocks; for a function else its
 * code. Empty for a task that wants an answer.
 */
export function readWork(task: Task, reply: string): Work {
  const { spec } = task
  if (spec.output === 'answer') return { edits: [], rejected: [] }
  const work = parseFileBlocks(reply)
  const path = spec.editable[0]
  if (work.edits.length > 0 || spec.output !== 'function' || path === undefined) return work
  const code = parseCodeBlocks(reply).at(-1)
  if (code !== undefined) work.edits.push({ path, content: completeFunction(task, code) })
  return work
}
