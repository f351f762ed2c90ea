import type { GraderSpec } from '../../schema/grader-spec.ts'
import type { Files, Task } from '../../schema/task.ts'

type RubricSpec = Extract<GraderSpec, { kind: 'rubric' }>

/** Returns the text that judges are shown of what was handed in; undefined if nothing was. `files` are the final ones. */
export function judgedWork(
  task: Task,
  { files, answer }: { files: Files; answer: string | undefined },
): string | undefined {
  if (task.spec.output === 'answer') return answer?.trim() ? answer.trim() : undefined
  return filesText(task.files, files)
}

/** Returns the text of the reference that judges are shown; undefined if they are shown no reference. */
export function referenceText(spec: RubricSpec, task: Task): string | undefined {
  if (spec.answer !== undefined) return spec.answer.trim()
  const { solution } = task.hidden
  if (task.spec.output === 'answer') return solution?.answer?.trim()
  return solution?.files && filesText(task.files, { ...task.files, ...solution.files })
}

/** Whether a rubric has all that its judges are to be shown. */
export const hasWhatItShows = (spec: RubricSpec, task: Task): boolean =>
  spec.scale !== 'compare' || referenceText(spec, task) !== undefined

/** Returns the files that differ from the task's own, each below its path; undefined if none does. */
function filesText(before: Files, after: Files): string | undefined {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  const changed = paths.filter((path) => before[path] !== after[path])
  if (changed.length === 0) return undefined
  return changed.map((path) => `FILE: ${path}\n${after[path] ?? '(removed)'}`).join('\n\n')
}
