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
  /** Properties with an equal text here split the tasks into the same two groups. */
  split: string
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
