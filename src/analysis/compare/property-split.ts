/** Two groups of tasks, as indexes, by the value of a property. */
export interface PropertySplit {
  property: string
  lower: TaskGroup
  higher: TaskGroup
  /** Tasks that do not state the property. */
  nUnstated: number
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
  }
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
