import { finalFiles } from '../../graders/grader.ts'
import type { Files, Task } from '../../schema/task.ts'
import { filesOf, type State } from '../files/workspace.ts'
import { withheldText } from '../state/trial-state.ts'
import { repositoryFiles } from './dangerous-files.ts'

/** What is kept of a trial's files. */
export interface KeptFiles {
  /** The files that the trial began with. */
  start: Files
  /** The files that were graded, or would have been. */
  graded: Files
  /** Files that are in neither, since they would make a repository of their folder. */
  leftOut: string[]
}

/**
 * Returns what is kept of a trial's files. With `secret` each file that differs from the start holds a note in place of its text,
 * which may be the reference solution.
 */
export function keptFiles(task: Task, state: State, { secret }: { secret: boolean }): KeptFiles {
  const final = finalFiles(task, filesOf(state))
  const leftOut = repositoryFiles([...new Set([...Object.keys(task.files), ...Object.keys(final)])])
  const start = without(task.files, leftOut)
  const graded = without(final, leftOut)
  return { start, graded: secret ? withheldIn(start, graded) : graded, leftOut }
}

/** Returns the paths that the trial added or changed. */
export const writtenPaths = ({ start, graded }: KeptFiles): string[] =>
  Object.keys(graded).filter((path) => !Object.hasOwn(start, path) || start[path] !== graded[path])

/** Returns the paths that the trial deleted. */
export const deletedPaths = ({ start, graded }: KeptFiles): string[] =>
  Object.keys(start).filter((path) => !Object.hasOwn(graded, path))

function without(files: Files, paths: readonly string[]): Files {
  if (paths.length === 0) return files
  return Object.fromEntries(Object.entries(files).filter(([path]) => !paths.includes(path)))
}

function withheldIn(start: Files, graded: Files): Files {
  const written = writtenPaths({ start, graded, leftOut: [] }).map((path) => [path, withheldText])
  return { ...graded, ...Object.fromEntries(written) }
}
