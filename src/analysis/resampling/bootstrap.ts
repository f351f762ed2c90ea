import { seededRandom } from '../../random.ts'
import { meanOf } from '../numeric/moments.ts'
import { differences } from '../paired/task-difference.ts'
import { pairedMeans, type TaskValue } from '../tasks/task-value.ts'
import { percentileInterval } from './percentile-interval.ts'
import { replicateMeans } from './replicate-means.ts'

/** Percentile interval of a bootstrap over tasks and the standard deviation of its replicates; null of no task. */
export interface BootstrapInterval {
  lower: number | null
  upper: number | null
  se: number | null
}

/** Bootstrap of the mean difference A - B over the tasks that both have. Same seed, same numbers, everywhere. */
export function bootstrapTaskDifference(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
  confidence: number,
  resamples: number,
  seed: number | string,
): BootstrapInterval {
  const pairs = pairedMeans(a, b)
  return bootstrapOf([differences(pairs.a, pairs.b)], ([means]) => means, confidence, resamples, seed)
}

/** Bootstrap of mean x over mean y of values paired by task; a sample whose y are all 0 has no ratio and is left out. */
export function bootstrapRatio(
  x: readonly number[],
  y: readonly number[],
  confidence: number,
  resamples: number,
  seed: number | string,
): BootstrapInterval {
  const ratio = ([above, below]: Float64Array[]) =>
    above?.map((value, index) => value / (below?.[index] as number)).filter(Number.isFinite)
  return bootstrapOf([x, y], ratio, confidence, resamples, seed)
}

function bootstrapOf(
  columns: readonly (readonly number[])[],
  statistic: (means: Float64Array[]) => Float64Array | undefined,
  confidence: number,
  resamples: number,
  seed: number | string,
): BootstrapInterval {
  const none = { lower: null, upper: null, se: null }
  if (columns[0]?.length === 0) return none
  const random = seededRandom(`bootstrap/${seed}`)
  const replicates = statistic(
    replicateMeans(
      columns.map((column) => Float64Array.from(column)),
      resamples,
      random,
    ),
  )
  if (!replicates || replicates.length < 2) return none
  return { ...percentileInterval(replicates, confidence), se: standardDeviation(replicates) }
}

function standardDeviation(values: Float64Array): number {
  const centre = meanOf([...values])
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1))
}
