import { mean } from '../numeric/moments.ts'
import type { Refusal } from '../refusal.ts'
import type { TaskValue } from '../tasks/task-value.ts'
import { pooledWithinVariance } from '../tasks/variance-components.ts'

/**
 * Computes the standard error of A - B if the same tasks were run again: noise within tasks only, its variance pooled over
 * tasks. It says nothing about other tasks, and reports must say so. Null if a method has no task with two epochs.
 */
export function rerunStandardError(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
): { estimate: number | null; se: number | null; nTasks: number; refusal: Refusal | null } {
  const pairs = a.flatMap((ours, index) => {
    const theirs = b[index]
    return theirs && ours.trials > 0 && theirs.trials > 0 ? [{ ours, theirs }] : []
  })
  const nTasks = pairs.length
  const estimate = mean(pairs.map(({ ours, theirs }) => (ours.mean as number) - (theirs.mean as number)))
  if (nTasks === 0) return { estimate, se: null, nTasks, refusal: 'no-task' }
  const withinA = pooledWithinVariance(pairs.map(({ ours }) => ours))
  const withinB = pooledWithinVariance(pairs.map(({ theirs }) => theirs))
  if (withinA === null || withinB === null) return { estimate, se: null, nTasks, refusal: 'one-epoch' }
  const sum = pairs.reduce(
    (total, { ours, theirs }) => total + withinA / ours.trials + withinB / theirs.trials,
    0,
  )
  return { estimate, se: Math.sqrt(sum) / nTasks, nTasks, refusal: null }
}
