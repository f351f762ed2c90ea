import type { TaskFilter } from '../../schema/run/task-filter.ts'
import type { Task } from '../../schema/task.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { drawSample } from './sample.ts'
import { parseTaskCondition, type TaskCondition } from './task-condition.ts'
import { type Fact, factsOf, factText, valuesText } from './task-facts.ts'
import { unknownName } from './unknown-name.ts'

/** The tasks that a filter leaves, and notes for the user. */
interface Filtered {
  tasks: Task[]
  notes: string[]
}

/** One step of a filter: what was typed, and which tasks it keeps. */
interface Step {
  where: string
  name: string
  keep(task: Task): boolean
}

/**
 * Keeps the tasks with any of the tags and with every condition, in their order, and draws the sample from them. Throws
 * `UserError` with the values that there are, where nothing is left.
 */
export function filterTasks(
  tasks: readonly Task[],
  { tags, where = [], sample, seed }: TaskFilter,
): Filtered {
  const conditions = where.map(parseTaskCondition)
  const unknown = conditions.flatMap((condition) => nameProblem(tasks, condition))
  if (unknown.length > 0) throw new UserError(unknown)
  const steps: Step[] = [
    ...(tags ? [tagStep(tags)] : []),
    ...conditions.map((condition) => ({
      where: `--where ${condition.text}`,
      name: condition.name,
      keep: (task: Task) => condition.holds(factsOf(task)[condition.name]),
    })),
  ]
  const notes: string[] = []
  let left = [...tasks]
  for (const step of steps) {
    const kept = left.filter(step.keep)
    if (kept.length === 0) throw new UserError(nothingLeft(step, left))
    const silent = left.filter((task) => isUnstated(factsOf(task)[step.name])).length
    if (silent > 0 && step.name !== 'tag')
      notes.push(`${step.where} leaves out ${silent} of ${left.length} tasks that do not state ${step.name}`)
    left = kept
  }
  if (sample === undefined) return { tasks: left, notes }
  if (sample > left.length)
    notes.push(`--sample ${sample} asks for more tasks than there are; all ${left.length} are used`)
  return { tasks: sampleOf(left, sample, seed), notes }
}

const isUnstated = (fact: Fact | undefined) =>
  fact === undefined || (typeof fact === 'object' && fact.length === 0)

function tagStep(tags: readonly string[]): Step {
  return {
    where: `--tag ${tags.join(',')}`,
    name: 'tag',
    keep: ({ spec }) => tags.some((tag) => spec.tags?.includes(tag)),
  }
}

function nameProblem(tasks: readonly Task[], { name, text, isNumeric }: TaskCondition): Problem[] {
  const facts = tasks.map(factsOf)
  const where = `--where ${text}`
  const stated = facts.flatMap((fact) => (fact[name] === undefined ? [] : [fact[name]]))
  if (stated.length === 0) {
    const known = [...new Set(facts.flatMap(Object.keys))].sort()
    const unknown = unknownName(where, 'property', name, known, 'bench tasks --json')
    return [{ ...unknown, what: `these tasks state no property "${name}"` }]
  }
  if (isNumeric || stated.every((value) => typeof value !== 'number')) return []
  const what = `compares ${name}, which is a number, with a word`
  return [
    {
      where,
      what,
      fix: `It is ${valuesText(tasks, name)}. Write for example --where '${name}>=${factText(stated[0] as Fact)}'.`,
    },
  ]
}

function nothingLeft({ where, name }: Step, tasks: readonly Task[]): Problem {
  const values = valuesText(tasks, name)
  return {
    where,
    what: `selects none of ${tasks.length === 1 ? '1 task' : `${tasks.length} tasks`}`,
    fix:
      values === '' ? `These tasks have no ${name}; leave the option out.` : `Values of ${name}: ${values}.`,
  }
}

/** Draws a sample by suite and difficulty. Neither the folder of a task nor the order of reading changes it. */
function sampleOf(tasks: readonly Task[], size: number, seed: number): Task[] {
  const byName = [...tasks].sort((a, b) => (a.ref < b.ref ? -1 : a.ref > b.ref ? 1 : 0))
  const drawn = new Set(drawSample(byName, { size, seed, stratumOf }))
  return tasks.filter((task) => drawn.has(task))
}

/** A suite, and a third of the scale of difficulty where it is stated. */
function stratumOf({ suite, spec }: Task): string {
  const { difficulty } = spec.properties
  return difficulty === undefined ? suite : `${suite}/${Math.min(2, Math.floor(3 * difficulty))}`
}
