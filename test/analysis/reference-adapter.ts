// The procedures under the names and with the positional arguments of the reference cases: what check.mjs beside the
// cases loads (see docs/guides/statistics.md), and what reference.test.ts calls.

import { frontierMembership, paretoFrontier } from '../../src/analysis/compare/frontier-of.ts'
import {
  cochranQTest,
  friedmanTest,
  nemenyiCriticalDifference,
} from '../../src/analysis/families/friedman-test.ts'
import {
  benjaminiHochbergAdjust as adjustBH,
  holmAdjust as adjustHolm,
} from '../../src/analysis/families/holm.ts'
import { quantileOfSorted } from '../../src/analysis/numeric/moments.ts'
import { cliffsDelta, pairedEffectSizes } from '../../src/analysis/paired/effect-sizes.ts'
import { nonInferiorityPaired, tostPaired } from '../../src/analysis/paired/equivalence.ts'
import { newcombePairedInterval } from '../../src/analysis/paired/majorities.ts'
import { mcnemarTest } from '../../src/analysis/paired/mcnemar-test.ts'
import { signFlipTest as signFlip } from '../../src/analysis/paired/sign-flip-test.ts'
import * as rerun from '../../src/analysis/paired/task-difference.ts'
import { differences } from '../../src/analysis/paired/task-difference.ts'
import { hodgesLehmann, wilcoxonSignedRank } from '../../src/analysis/paired/wilcoxon-signed-rank.ts'
import { mcnemarPower, mcnemarSampleSize } from '../../src/analysis/planning/mcnemar-planning.ts'
import * as planning from '../../src/analysis/planning/paired-sample-size.ts'
import { pairedTSampleSize } from '../../src/analysis/planning/paired-sample-size.ts'
import * as success from '../../src/analysis/ratios/cost-per-success.ts'
import * as successRatio from '../../src/analysis/ratios/cost-per-success.ts'
import {
  fiellerRatio as fieller,
  geometricMeanRatio as geometricRatio,
  logRatioInterval as logRatio,
  percentSaved,
} from '../../src/analysis/ratios/ratio.ts'
import * as bootstrap from '../../src/analysis/resampling/bootstrap.ts'
import { bcaInterval, percentileInterval } from '../../src/analysis/resampling/bootstrap.ts'
import {
  asymptoticConfidenceSequence,
  empiricalBernsteinSequence,
  mcnemarEProcess,
} from '../../src/analysis/sequential/confidence-sequences.ts'
import * as proportion from '../../src/analysis/tasks/interval.ts'
import {
  clopperPearsonInterval,
  jeffreysInterval,
  wilsonInterval,
} from '../../src/analysis/tasks/interval.ts'
import * as clustered from '../../src/analysis/tasks/mean-interval.ts'
import * as means from '../../src/analysis/tasks/mean-interval.ts'
import { geometricMean as geometric } from '../../src/analysis/tasks/mean-interval.ts'
import * as bounds from '../../src/analysis/tasks/task-value.ts'
import { pairedMeans } from '../../src/analysis/tasks/task-value.ts'
import * as components from '../../src/analysis/tasks/variance-components.ts'
import { passAtK, passHatK } from '../../src/analysis/tasks/variance-components.ts'
import { seededRandom } from '../../src/base/random.ts'
import * as paired from './task-values.ts'
import { type Cells, taskValues } from './task-values.ts'

type Values = readonly (number | null)[]
type PValues = readonly (number | null)[]

export {
  asymptoticConfidenceSequence,
  bcaInterval,
  cliffsDelta,
  clopperPearsonInterval,
  cochranQTest,
  empiricalBernsteinSequence,
  friedmanTest,
  frontierMembership,
  hodgesLehmann,
  jeffreysInterval,
  mcnemarEProcess,
  mcnemarPower,
  mcnemarSampleSize,
  mcnemarTest,
  nemenyiCriticalDifference,
  newcombePairedInterval,
  nonInferiorityPaired,
  pairedEffectSizes,
  pairedTSampleSize,
  paretoFrontier,
  passAtK,
  passHatK,
  percentileInterval,
  percentSaved,
  tostPaired,
  wilcoxonSignedRank,
  wilsonInterval,
}

export const taskMeanInterval = (cells: Cells, confidence: number) =>
  means.taskMeanInterval(taskValues(cells), confidence)
export const clusteredProportion = (cells: Cells, confidence: number) =>
  proportion.clusteredProportion(taskValues(cells), confidence)
export const varianceComponents = (cells: Cells) => components.varianceComponents(taskValues(cells))
export const pairedTaskDifference = (
  a: Cells,
  b: Cells,
  confidence: number,
): ReturnType<typeof paired.pairedTaskDifference> =>
  paired.pairedTaskDifference(taskValues(a), taskValues(b), confidence)
export const rerunStandardError = (a: Cells, b: Cells) =>
  rerun.rerunStandardError(taskValues(a), taskValues(b))
export const missingBounds = (a: Cells, b: Cells) => bounds.missingBounds(taskValues(a), taskValues(b))
export const bootstrapTaskDifference = (
  a: Cells,
  b: Cells,
  ...[confidence, resamples, seed]: [number, number, number]
) => {
  const means = pairedMeans(taskValues(a), taskValues(b))
  const values = differences(means.a, means.b)
  return bootstrap.bootstrapMean(values, drawn([values], resamples, seed)[0] as Float64Array, confidence)
}
export const clusteredStandardError = (values: number[], clusters: readonly (string | number)[]) => {
  const names = [...new Set(clusters)]
  return clustered.clusteredStandardError(
    taskValues(names.map((name) => values.filter((_, index) => clusters[index] === name))),
  )
}

export const signFlipTest = (differences: readonly number[]) => signFlip(differences)
export const holmAdjust = (p: PValues) => ({ adjusted: adjustHolm(p) })
export const benjaminiHochbergAdjust = (p: PValues) => ({ adjusted: adjustBH(p) })
export const quantile = (values: readonly number[], p: number) => ({
  value: values.length === 0 ? null : quantileOfSorted(Float64Array.from(values).sort(), p),
})
export const geometricMean = (values: Values, confidence: number) => geometric(known(values), confidence)

export const fiellerRatio = (x: Values, y: Values, confidence: number) => fieller(...both(x, y), confidence)
export const logRatioInterval = (x: Values, y: Values, confidence: number) =>
  logRatio(...both(x, y), confidence)
export const geometricMeanRatio = (x: Values, y: Values, confidence: number) =>
  geometricRatio(...both(x, y), confidence)
export const bootstrapRatio = (
  x: Values,
  y: Values,
  ...[confidence, resamples, seed]: [number, number, number]
) => {
  const [above, below] = drawn(both(x, y), resamples, seed) as [Float64Array, Float64Array]
  return bootstrap.bootstrapRatio(above, below, confidence)
}

export const costPerSuccess = (costs: Cells, successes: Cells, confidence: number) => {
  const { tasks, nMissing } = pricedTasks(costs, successes)
  return { ...success.costPerSuccess(known(tasks), confidence), nMissing }
}
export const costPerSuccessRatio = (
  costA: Cells,
  successA: Cells,
  costB: Cells,
  successB: Cells,
  confidence: number,
) =>
  successRatio.costPerSuccessRatio(
    pricedTasks(costA, successA).tasks,
    pricedTasks(costB, successB).tasks,
    confidence,
  )

export const pairedSampleSize = (
  omega2: number,
  sigma2A: number,
  sigma2B: number,
  epochsA: number,
  epochsB: number,
  ...[delta, alpha, power]: [number, number, number]
) => planning.pairedSampleSize({ omega2, sigma2A, sigma2B, epochsA, epochsB }, delta, alpha, power)
export const minimumDetectableEffect = (
  omega2: number,
  sigma2A: number,
  sigma2B: number,
  epochsA: number,
  epochsB: number,
  ...[nTasks, alpha, power]: [number, number, number]
) => planning.minimumDetectableEffect({ omega2, sigma2A, sigma2B, epochsA, epochsB }, nTasks, alpha, power)

const drawn = (columns: readonly number[][], resamples: number, seed: number) =>
  bootstrap.replicateMeans(
    columns.map((column) => Float64Array.from(column)),
    resamples,
    seededRandom(`bootstrap/${seed}`),
  )

/** Task means over the trials with both a cost and a success; `nMissing` trials lack one. */
function pricedTasks(costs: Cells, successes: Cells) {
  const both = costs.map((row, task) =>
    row.map((cost, epoch) => {
      const passed = successes[task]?.[epoch] ?? null
      return cost === null || passed === null ? null : { cost, passed }
    }),
  )
  const cost = taskValues(both.map((row) => row.map((trial) => trial?.cost ?? null)))
  const passed = taskValues(both.map((row) => row.map((trial) => trial?.passed ?? null)))
  return {
    tasks: cost.map(({ mean }, task) =>
      mean === null ? null : { cost: mean, success: passed[task]?.mean as number },
    ),
    nMissing: cost.reduce((sum, { missing }) => sum + missing, 0),
  }
}

function known<T>(values: readonly (T | null)[]): T[] {
  return values.filter((value) => value !== null)
}

function both(x: Values, y: Values): [number[], number[]] {
  const pairs = x.flatMap((value, index) => {
    const other = y[index] ?? null
    return value === null || other === null ? [] : [[value, other] as const]
  })
  return [pairs.map(([value]) => value), pairs.map(([, value]) => value)]
}
