import { groupBy } from '../../base/grouping.ts'
import { seededRandom, shuffled } from '../../base/random.ts'
import type { TaskFilter } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import { type Fact, factText, parseTaskCondition, type TaskCondition } from '../../schema/task-condition.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { withNear } from '../../text/near-word.ts'
import { factsOf, valuesText } from './task-facts.ts'
import { unknownName } from './unknown-name.ts'

interface Filtered {
  tasks: Task[]
  notes: string[]
}

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
  const conditions = where.map((text) => parseTaskCondition(text, `--where ${text}`))
  const unknown = conditions.flatMap((condition) =>
    nameProblems(tasks, condition, `--where ${condition.text}`),
  )
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

/** Returns why a condition can hold for none of these tasks: none states its property, or that is a number and its value a word. */
export function nameProblems(
  tasks: readonly Task[],
  { name, isNumeric }: TaskCondition,
  where: string,
  factsIn = factsOf,
): Problem[] {
  const facts = tasks.map(factsIn)
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
      fix: `It is ${valuesText(tasks, name)}. Write for example '${name}>=${factText(stated[0] as Fact)}'.`,
    },
  ]
}

function nothingLeft({ where, name }: Step, tasks: readonly Task[]): Problem {
  const values = valuesText(tasks, name)
  const [given = ''] = /[\w.-]+$/.exec(where) ?? []
  return {
    where,
    what: `selects none of ${tasks.length === 1 ? '1 task' : `${tasks.length} tasks`}`,
    fix:
      values === ''
        ? `These tasks have no ${name}; leave the option out.`
        : withNear(given, values.replaceAll(/ \(\d+\)/g, '').split(', '), `Values of ${name}: ${values}.`),
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

interface Sampling<Item> {
  size: number
  seed: number
  /** The stratum of an item. Each stratum has its proportional share of the sample, rounded by largest remainder. */
  stratumOf(item: Item): string
}

/** Draws a seeded, stratified sample. It depends on the seed and on the items in their order, on nothing of the machine. */
export function drawSample<Item>(items: readonly Item[], { size, seed, stratumOf }: Sampling<Item>): Item[] {
  if (size >= items.length) return [...items]
  const strata = [...groupBy(items, stratumOf)].map(([stratum, all]) => {
    const share = (size * all.length) / items.length
    return {
      members: shuffled(all, seededRandom(`sample/${seed}/${stratum}`)),
      take: Math.floor(share),
      rest: share % 1,
    }
  })
  let left = size - strata.reduce((sum, { take }) => sum + take, 0)
  for (const stratum of [...strata].sort((a, b) => b.rest - a.rest)) if (left-- > 0) stratum.take++
  return strata.flatMap(({ members, take }) => members.slice(0, take))
}
