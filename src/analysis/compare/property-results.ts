import type { Ratio } from '../ratios/ratio.ts'
import type { Refusal } from '../refusal.ts'
import type { Interval } from '../tasks/interval.ts'

/** Tasks with the lower or the higher values of a property, and the difference A - B in the primary outcome on them. */
export interface GroupEffect extends Interval {
  /** Tasks that both methods have. */
  nTasks: number
  /** The smallest and the largest value among all tasks of the group. */
  from: number
  to: number
}

/** What A spends as a multiple of B on the typical task of each group (geometric mean), and the ratio of the two. */
export interface SpendingByProperty {
  lower: Ratio
  higher: Ratio
  /** `higher` over `lower`: above 1, A spends relatively more where the property is high. */
  change: Ratio
}

/**
 * How the difference of a pair varies with a property of the tasks. It is an association over the tasks of the run: tasks that
 * differ in one property differ in others, too.
 */
export interface PropertyRow {
  /** Name of the property, as in task.yaml. */
  property: string
  a: string
  b: string
  /** Tasks of the run that do not state the property. */
  nUnstated: number
  /** Other properties that part the tasks into the same two groups, `(reversed)` where their higher values are the lower ones here. */
  alike: string[]
  lower: GroupEffect
  higher: GroupEffect
  /** The difference A - B on the tasks with higher values minus that on the tasks with lower ones. */
  change: Interval & { se: number | null; refusal: Refusal | null }
  /** p of the change; the greater of two tests where a group has fewer than 30 tasks. */
  p: number | null
  /** `p` adjusted over all pairs and properties that are tested (Holm). */
  adjustedP: number | null
  /** Why there is no p. */
  refusal: Refusal | null
  spent: Record<'tokens' | 'costUsd', SpendingByProperty>
}

/** Groups of tasks that are known before a trial, so that a method can be chosen for each of them. */
export interface Grouping {
  /** The properties that part the tasks so, or `suite`. */
  by: string
  groups: { name: string; tasks: readonly number[] }[]
}

/**
 * What choosing the method by a group of tasks gains over the best single method, on tasks that took no part in the choice: as a share
 * of the primary outcome.
 */
export interface GroupChoice extends Interval {
  by: string
  /** The best method of each group and of all tasks together, from all tasks. */
  groups: { name: string; nTasks: number; method: string }[]
  single: string
  nTasks: number
  p: number | null
  /** `p` adjusted over all groupings (Holm). */
  adjustedP: number | null
  /** Why there is no p, and no limits where they are null. */
  refusal: Refusal | null
}

/** Two groups of tasks, as indexes, by the value of a property. */
export interface PropertySplit {
  property: string
  lower: TaskGroup
  higher: TaskGroup
  /** Tasks that do not state the property. */
  nUnstated: number
  /** Other properties with the same two groups, as in `PropertyRow`. */
  alike: string[]
}

/** Indexes of tasks, with the smallest and the largest value among them. */
interface TaskGroup {
  tasks: number[]
  from: number
  to: number
}

/** With fewer tasks a group has no estimate of its variation. */
const fewest = 2

/**
 * Splits the tasks that state a property between two of its values. Of all cuts it takes the one that leaves the least variance of the
 * property within the groups; cuts with `wanted` tasks on each side come first. It depends on nothing but the property. Null if no cut
 * leaves two tasks on each side.
 */
export function splitByProperty(
  property: string,
  values: readonly (number | undefined)[],
  wanted: number,
): PropertySplit | null {
  const stated = values
    .flatMap((value, task) => (value === undefined ? [] : [{ task, value }]))
    .sort((a, b) => a.value - b.value || a.task - b.task)
  const cuts = stated.flatMap(({ value }, at) => {
    const isCut = at > 0 && value > (stated[at - 1]?.value as number)
    return isCut && Math.min(at, stated.length - at) >= fewest ? [at] : []
  })
  const balanced = cuts.filter((at) => Math.min(at, stated.length - at) >= wanted)
  const [best] = (balanced.length > 0 ? balanced : cuts)
    .map((at) => ({ at, between: betweenGroups(stated, at) }))
    .sort((a, b) => b.between - a.between || a.at - b.at)
  if (!best) return null
  return {
    property,
    lower: groupOf(stated.slice(0, best.at)),
    higher: groupOf(stated.slice(best.at)),
    nUnstated: values.length - stated.length,
    alike: [],
  }
}

/** Returns one split for each two groups of tasks: properties that part the tasks in the same way show one finding, not several. */
export function mergeSplits(splits: readonly PropertySplit[]): PropertySplit[] {
  const merged = new Map<string, PropertySplit>()
  for (const split of splits) {
    const [lower, higher] = [split.lower.tasks.join(), split.higher.tasks.join()]
    const [same, reversed] = [merged.get(`${lower}|${higher}`), merged.get(`${higher}|${lower}`)]
    if (same) same.alike.push(split.property)
    else if (reversed) reversed.alike.push(`${split.property} (reversed)`)
    else merged.set(`${lower}|${higher}`, { ...split, alike: [] })
  }
  return [...merged.values()]
}

type Stated = readonly { task: number; value: number }[]

/** The variance between two groups, up to a factor: the more there is, the less is left within them. */
function betweenGroups(stated: Stated, at: number): number {
  const meanOf = (group: Stated) => group.reduce((sum, { value }) => sum + value, 0) / group.length
  return at * (stated.length - at) * (meanOf(stated.slice(at)) - meanOf(stated.slice(0, at))) ** 2
}

function groupOf(stated: Stated): TaskGroup {
  return {
    tasks: stated.map(({ task }) => task).sort((a, b) => a - b),
    from: stated[0]?.value as number,
    to: stated.at(-1)?.value as number,
  }
}
