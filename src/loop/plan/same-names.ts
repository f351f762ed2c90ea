import { relative } from 'node:path'
import type { Task } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'

const mostListed = 5

const fix =
  'Give one of them another name, or run them as two runs. A suite is named after its folder, and a HumanEval task after its task_id, in which signs become dashes.'

/**
 * Returns a problem for each task that has the name of another one: records and tables could not tell them apart. Names that
 * differ only by case count as one, because many file systems and tools ignore case.
 */
export function sameNameProblems(tasks: readonly Pick<Task, 'ref' | 'origin'>[]): Problem[] {
  const first = new Map<string, Pick<Task, 'ref' | 'origin'>>()
  const found: Problem[] = []
  for (const task of tasks) {
    const earlier = first.get(task.ref.toLowerCase())
    if (!earlier) first.set(task.ref.toLowerCase(), task)
    else found.push({ where: sourceOf(task), what: sameNameText(earlier, task) })
  }
  const more = found.length - mostListed
  return found.slice(0, mostListed).map((problem, place, listed) => ({
    ...problem,
    ...(place === listed.length - 1 && {
      fix: more > 0 ? `${fix} (${more} more tasks have this problem.)` : fix,
    }),
  }))
}

const sameNameText = (one: Pick<Task, 'ref' | 'origin'>, other: Pick<Task, 'ref' | 'origin'>) =>
  one.ref === other.ref
    ? `is called ${other.ref}, like the task of ${sourceOf(one)}`
    : `is called ${other.ref}, which differs only by case from ${one.ref} of ${sourceOf(one)}`

function sourceOf({ origin }: Pick<Task, 'origin'>): string {
  const path = relative(process.cwd(), origin)
  return path.startsWith('..') ? origin : path
}
