import { differenceTest } from '../paired/task-difference.ts'
import { noRatio, type Ratio } from './ratio.ts'

/**
 * Computes the geometric mean of x / y over tasks ("on the typical task") by a paired t test on logarithms, with its p. It
 * answers another question than the ratio of means, and may have another answer. Null with a value of 0 or less: adding 1
 * before the logarithm would invent data.
 */
export function geometricMeanRatio(
  x: readonly number[],
  y: readonly number[],
  confidence: number,
): Ratio & { p: number | null } {
  if (x.length === 0) return { ...noRatio('no-task'), p: null }
  if ([...x, ...y].some((value) => value <= 0)) return { ...noRatio('not-positive'), p: null }
  const logs = x.map((value, index) => Math.log(value) - Math.log(y[index] as number))
  const { estimate, lower, upper, p, refusal } = differenceTest(logs, confidence)
  return { ratio: exp(estimate), lower: exp(lower), upper: exp(upper), p, refusal }
}

function exp(value: number | null): number | null {
  return value === null ? null : Math.exp(value)
}
