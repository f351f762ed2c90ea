import type { Rejected } from '../schema/method/change.ts'
import type { Files, Task, TaskSpec } from '../schema/task.ts'
import { editableIn } from '../suites/editable.ts'

/** Most paths that a reason names. */
const mostNamed = 3

/** Returns the words that say that a reply delivered nothing. */
export const nothingDelivered = ({ output }: Pick<TaskSpec, 'output'>): string =>
  output === 'function' ? 'no code in the reply' : 'no file was changed'

/**
 * Returns in plain words that nothing was delivered: the files that a task takes from the work are as in the task. It names what was
 * refused of the replies, and changed files that the task does not take. Undefined where something was delivered, and for answers.
 */
export function undeliveredText(
  task: Task,
  left: Files,
  final: Files,
  refused: readonly Rejected[],
): string | undefined {
  if (task.spec.output === 'answer' || isChanged(final, task.files)) return undefined
  const isEditable = editableIn(task.spec)
  const others = [...new Set([...Object.keys(task.files), ...Object.keys(left)])].filter(
    (path) => left[path] !== task.files[path] && !isEditable(path),
  )
  return [
    nothingDelivered(task.spec),
    ...listed(refused.map(({ path, reason }) => `refused: ${JSON.stringify(path)} ${reason}`)),
    ...listed(others.map((path) => `not counted: ${JSON.stringify(path)} is not a file that may change`)),
  ].join('; ')
}

function isChanged(final: Files, given: Files): boolean {
  if (final === given) return false
  const paths = Object.keys(final)
  return paths.length !== Object.keys(given).length || paths.some((path) => final[path] !== given[path])
}

function listed(texts: readonly string[]): string[] {
  const all = [...new Set(texts)]
  const more = all.length - mostNamed
  return more > 0 ? [...all.slice(0, mostNamed), `${more} more`] : all
}
