import type { Random } from '../../base/random.ts'
import { mean, meanOf, quantileOfSorted } from '../numeric/moments.ts'
import { normalQuantile, normalTail } from '../numeric/normal.ts'
import type { Refusal } from '../refusal.ts'

/** Percentile interval of a bootstrap over tasks, and the standard deviation of its replicates; null without tasks. */
export interface BootstrapInterval {
  lower: number | null
  upper: number | null
  se: number | null
}

/** Returns percentile and BCa intervals of a mean over tasks from its replicates; BCa is null with fewer than two tasks. */
export function bootstrapMean(
  values: readonly number[],
  replicates: Float64Array,
  confidence: number,
): BootstrapInterval & { bca: BcaInterval | null } {
  const interval = intervalOf(replicates, confidence)
  if (interval.se === null || values.length < 2) return { ...interval, bca: null }
  const estimate = meanOf(values)
  const jackknife = values.map((value) => (estimate * values.length - value) / (values.length - 1))
  return { ...interval, bca: bcaInterval(estimate, replicates, jackknife, confidence) }
}

/** Returns the interval of mean x over mean y from their replicates over the same draws. Where y is 0 there is no ratio, and the draw is left out. */
export function bootstrapRatio(x: Float64Array, y: Float64Array, confidence: number): BootstrapInterval {
  return intervalOf(x.map((value, index) => value / (y[index] as number)).filter(Number.isFinite), confidence)
}

function intervalOf(replicates: Float64Array, confidence: number): BootstrapInterval {
  if (replicates.length < 2) return { lower: null, upper: null, se: null }
  const centre = replicates.reduce((sum, value) => sum + value, 0) / replicates.length
  const squares = replicates.reduce((sum, value) => sum + (value - centre) ** 2, 0)
  const se = Math.sqrt(squares / (replicates.length - 1))
  // If all tasks are equal, an interval without width would claim certainty.
  if (se <= 1e-12 * Math.abs(centre)) return { lower: null, upper: null, se: 0 }
  return { ...percentileInterval(replicates, confidence), se }
}

/**
 * Draws `count` samples of tasks with replacement and returns their means for each column (one number per task). All columns
 * share the draws, so replicates of two columns may be subtracted or divided, and a further column changes nothing. Without
 * tasks there are no replicates.
 */
export function replicateMeans(
  columns: readonly Float64Array[],
  count: number,
  random: Random,
): Float64Array[] {
  const tasks = columns[0]?.length ?? 0
  const replicates = columns.map(() => new Float64Array(tasks === 0 ? 0 : count))
  if (tasks === 0) return replicates
  const sample = new Int32Array(tasks)
  for (let replicate = 0; replicate < count; replicate++) {
    for (let draw = 0; draw < tasks; draw++) sample[draw] = Math.floor(random() * tasks)
    for (let at = 0; at < columns.length; at++)
      (replicates[at] as Float64Array)[replicate] =
        sumOver(columns[at] as Float64Array, sample, tasks) / tasks
  }
  return replicates
}

/** Returns the replicates of A - B from those of A and B over the same draws. */
export function subtractReplicates(ours: Float64Array, theirs: Float64Array): Float64Array {
  const result = new Float64Array(ours.length)
  for (let i = 0; i < ours.length; i++) result[i] = (ours[i] as number) - (theirs[i] as number)
  return result
}

/** Returns the sum of a column over the first `count` of the listed tasks; a task counts as often as it is listed. */
export function sumOver(column: Float64Array, tasks: Int32Array, count: number): number {
  let sum = 0
  for (let i = 0; i < count; i++) sum += column[tasks[i] as number] as number
  return sum
}

/** Returns the middle share of bootstrap replicates (type-7 quantiles); null without replicates. Too narrow for few tasks: a description, not a test. */
export function percentileInterval(
  replicates: readonly number[] | Float64Array,
  confidence: number,
): { lower: number | null; upper: number | null } {
  if (replicates.length === 0) return { lower: null, upper: null }
  const sorted = Float64Array.from(replicates).sort()
  const tail = (1 - confidence) / 2
  return { lower: quantileOfSorted(sorted, tail), upper: quantileOfSorted(sorted, 1 - tail) }
}

/** Bias-corrected and accelerated bootstrap interval, with its two corrections. */
export interface BcaInterval {
  lower: number | null
  upper: number | null
  z0: number | null
  acceleration: number | null
  refusal: Refusal | null
}

/**
 * Computes the BCa interval (Efron 1987) from the estimate, its bootstrap replicates and its jackknife values. Replicates
 * equal to the estimate count half, quantiles are of type 7 (SciPy's rule). No interval if the estimate lies outside its
 * replicates, or if all jackknife values are equal.
 */
export function bcaInterval(
  estimate: number,
  replicates: readonly number[] | Float64Array,
  jackknife: readonly number[],
  confidence: number,
): BcaInterval {
  const sorted = Float64Array.from(replicates).sort()
  const noise = 1e-12 * Math.max(1, Math.abs(estimate))
  const isBelow = (value: number) => (Math.abs(value - estimate) <= noise ? 0.5 : value < estimate ? 1 : 0)
  const below = sorted.reduce((sum, value) => sum + isBelow(value), 0)
  const centre = mean(jackknife)
  const away = jackknife.map((value) => (centre as number) - value)
  const squares = away.reduce((sum, value) => sum + value ** 2, 0)
  const outside = below === 0 || below === sorted.length || sorted[0] === sorted.at(-1)
  if (outside || centre === null || squares <= 1e-24 * jackknife.length * centre ** 2)
    return { lower: null, upper: null, z0: null, acceleration: null, refusal: 'outside-replicates' }
  const z0 = normalQuantile(below / sorted.length)
  const acceleration = away.reduce((sum, value) => sum + value ** 3, 0) / (6 * squares ** 1.5)
  const limit = (p: number) => {
    const z = z0 + normalQuantile(p)
    return quantileOfSorted(sorted, 1 - normalTail(z0 + z / (1 - acceleration * z)))
  }
  const tail = (1 - confidence) / 2
  return { lower: limit(tail), upper: limit(1 - tail), z0, acceleration, refusal: null }
}
