import { mean } from '../numeric/moments.ts'
import type { TaskValue } from './task-value.ts'

/**
 * Returns the difference A - B of an outcome in [0, 1] if every missing trial went against A (`low`), or for it (`high`).
 * All tasks of each method count, including those without a value. Null if a method has no planned trial.
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
