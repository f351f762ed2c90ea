import picomatch from 'picomatch'
import type { TaskSpec } from '../schema/task.ts'

/**
 * Returns a function that says whether a path is one of the files that a task takes from the work: it matches one of the globs of
 * `editable`, and none of those that begin with `!`. Alone, these leave out of all files.
 */
export function editableIn({ editable }: Pick<TaskSpec, 'editable'>): (path: string) => boolean {
  const ignore = editable.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))
  const wanted = editable.filter((glob) => !glob.startsWith('!'))
  if (editable.length === 0) return () => false
  return picomatch(wanted.length === 0 ? '**' : wanted, { dot: true, ignore })
}
