import { mean } from '../numeric/moments.ts'
import type { TaskValue } from './task-value.ts'

/**
 * The difference A - B of an outcome in [0, 1], had every missing trial gone against A (`low`) or for it (`high`).
 * Each method's own tasks count, also those without any value. Null where a method has no planned trial.
 */
export function missingBounds(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
): { low: number | null; high: number | null } {
  const [worstA, bestA, worstB, bestB] = [filled(a, 0), filled(a, 1), filled(b, 0), filled(b, 1)]
  return { low: difference(worstA, bestB), high: difference(bestA, worstB) }
}

function filled(tasks: readonly TaskValue[], value: number): number | null {
  const planned = tasks.filter(({ trials, missing }) => trials + missing > 0)
  return mean(planned.map((task) => rowMean(task, value)))
}

function rowMean({ mean, trials, missing }: TaskValue, value: number): number {
  return ((mean ?? 0) * trials + value * missing) / (trials + missing)
}

function difference(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b
}
