import { seededRandom } from '../../base/random.ts'
import { meanOf } from '../numeric/moments.ts'
import { type BcaInterval, bcaInterval } from './bca-interval.ts'
import { percentileInterval } from './percentile-interval.ts'
import { replicateMeans } from './replicate-means.ts'

/** Percentile interval of a bootstrap over tasks, and the standard deviation of its replicates; null without tasks. */
export interface BootstrapInterval {
  lower: number | null
  upper: number | null
  se: number | null
}

/** Settings of a bootstrap. The same seed gives the same numbers on every machine. */
export interface Resampling {
  confidence: number
  resamples: number
  seed: number | string
}

/** Bootstraps the mean of one value per task, with percentile and BCa intervals; BCa is null with fewer than two tasks. */
export function bootstrapMean(
  values: readonly number[],
  { confidence, resamples, seed }: Resampling,
): BootstrapInterval & { bca: BcaInterval | null } {
  const [replicates = new Float64Array()] = replicatesOf([values], resamples, seed)
  const interval = intervalOf(replicates, confidence)
  if (interval.se === null || values.length < 2) return { ...interval, bca: null }
  const estimate = meanOf(values)
  const jackknife = values.map((value) => (estimate * values.length - value) / (values.length - 1))
  return { ...interval, bca: bcaInterval(estimate, replicates, jackknife, confidence) }
}

/** Bootstraps mean x over mean y of values paired by task. A sample whose y are all 0 has no ratio and is left out. */
export function bootstrapRatio(
  x: readonly number[],
  y: readonly number[],
  { confidence, resamples, seed }: Resampling,
): BootstrapInterval {
  const [above, below] = replicatesOf([x, y], resamples, seed)
  const ratios = above?.map((value, index) => value / (below?.[index] as number)).filter(Number.isFinite)
  return intervalOf(ratios ?? new Float64Array(), confidence)
}

const replicatesOf = (columns: readonly (readonly number[])[], resamples: number, seed: number | string) =>
  columns[0]?.length === 0
    ? []
    : replicateMeans(
        columns.map((column) => Float64Array.from(column)),
        resamples,
        seededRandom(`bootstrap/${seed}`),
      )

function intervalOf(replicates: Float64Array, confidence: number): BootstrapInterval {
  if (replicates.length < 2) return { lower: null, upper: null, se: null }
  const centre = meanOf([...replicates])
  const squares = replicates.reduce((sum, value) => sum + (value - centre) ** 2, 0)
  const se = Math.sqrt(squares / (replicates.length - 1))
  // If all tasks are equal, an interval without width would claim certainty.
  if (se <= 1e-12 * Math.abs(centre)) return { lower: null, upper: null, se: 0 }
  return { ...percentileInterval(replicates, confidence), se }
}
