import { describe, expect, it } from 'vitest'
import { nonInferiorityPaired, tostPaired } from '../../src/analysis/paired/equivalence.ts'
import { signFlipTest } from '../../src/analysis/paired/sign-flip-test.ts'
import { rerunStandardError } from '../../src/analysis/paired/task-difference.ts'
import { hodgesLehmann, wilcoxonSignedRank } from '../../src/analysis/paired/wilcoxon-signed-rank.ts'
import { costPerSuccess, costPerSuccessRatio } from '../../src/analysis/ratios/cost-per-success.ts'
import {
  fiellerRatio,
  geometricMeanRatio,
  logRatioInterval,
  medianRatio,
} from '../../src/analysis/ratios/ratio.ts'
import {
  bcaInterval,
  bootstrapMean,
  bootstrapRatio,
  percentileInterval,
} from '../../src/analysis/resampling/bootstrap.ts'
import { asymptoticConfidenceSequence } from '../../src/analysis/sequential/confidence-sequences.ts'
import { clusteredProportion, wilsonInterval } from '../../src/analysis/tasks/interval.ts'
import {
  clusteredStandardError,
  geometricMean,
  taskMeanInterval,
} from '../../src/analysis/tasks/mean-interval.ts'
import { addTrial, emptySums, missingBounds, taskValue } from '../../src/analysis/tasks/task-value.ts'
import { passAtK, passHatK, varianceComponents } from '../../src/analysis/tasks/variance-components.ts'
import { pairedTaskDifference, taskValues } from './task-values.ts'

const none = { lower: null, upper: null }
const tasks = taskValues

describe('no task', () => {
  it('gives no number, with the reason that there is no task', () => {
    const refused = { ...none, refusal: 'no-task' }
    expect(taskMeanInterval([], 0.95)).toMatchObject({ estimate: null, ...refused })
    expect(pairedTaskDifference([], [], 0.95)).toMatchObject({ estimate: null, p: null, ...refused })
    expect(fiellerRatio([], [], 0.95)).toMatchObject({ ratio: null, ...refused })
    expect(logRatioInterval([], [], 0.95)).toMatchObject({ ratio: null, ...refused })
    expect(geometricMeanRatio([], [], 0.95)).toMatchObject({ ratio: null, p: null, ...refused })
    expect(medianRatio([], [], 0.95)).toMatchObject({ ratio: null, ...refused })
    expect(costPerSuccess([], 0.95)).toMatchObject({ estimate: null, ...refused })
    expect(costPerSuccessRatio([null], [null], 0.95)).toMatchObject({ ratio: null, nTasks: 0, ...refused })
    expect(hodgesLehmann([], 0.95)).toMatchObject({ estimate: null, ...refused })
    expect(asymptoticConfidenceSequence([], 0.05, 0.3)).toMatchObject({ estimate: null, ...refused })
    expect(signFlipTest([])).toMatchObject({ statistic: null, p: null, refusal: 'no-task' })
    expect(varianceComponents([])).toMatchObject({ between: null, refusal: 'no-task' })
    expect(clusteredStandardError([])).toMatchObject({ mean: null, se: null, refusal: 'no-task' })
    expect(rerunStandardError([], [])).toMatchObject({ se: null, nTasks: 0, refusal: 'no-task' })
    expect(passAtK([], [], 1)).toMatchObject({ estimate: null, refusal: 'no-task' })
    expect(missingBounds([], [])).toEqual({ low: null, high: null })
    expect(percentileInterval([], 0.95)).toEqual(none)
    expect(bootstrapMean([], new Float64Array(), 0.95)).toEqual({ ...none, se: null, bca: null })
    expect(wilsonInterval(0, 0, 0.95)).toEqual({ estimate: null, lower: 0, upper: 1 })
    expect(clusteredProportion([], 0.95)).toMatchObject({ estimate: null, lower: 0, upper: 1 })
  })
})

describe('one task', () => {
  it('gives an estimate and no interval', () => {
    const refused = { ...none, refusal: 'one-task' }
    expect(pairedTaskDifference(tasks([[1, 1]]), tasks([[0, 1]]), 0.95)).toMatchObject({
      estimate: 0.5,
      p: null,
      ...refused,
    })
    expect(fiellerRatio([2], [4], 0.95)).toMatchObject({ ratio: 0.5, kind: 'not-estimable', ...refused })
    expect(logRatioInterval([2], [4], 0.95)).toMatchObject({ ratio: 0.5, ...refused })
    expect(medianRatio([2], [4], 0.95)).toMatchObject({ ratio: 0.5, ...refused })
    expect(costPerSuccess([{ cost: 3, success: 0.5 }], 0.95)).toMatchObject({ estimate: 6, ...refused })
    expect(nonInferiorityPaired([0.1], 0.05, 0.025)).toMatchObject({ p: null, nonInferior: false })
    expect(varianceComponents(tasks([[1, 0]]))).toMatchObject({ icc: null, refusal: 'one-task' })
    expect(geometricMean([8], 0.95)).toMatchObject({ lower: null, refusal: 'one-task' })
    expect(geometricMean([8], 0.95).estimate).toBeCloseTo(8, 12)
  })
})

describe('one epoch', () => {
  it('gives no variation within tasks', () => {
    const single = tasks([[1], [0], [1]])
    expect(varianceComponents(single)).toMatchObject({ within: null, icc: null, refusal: 'one-epoch' })
    expect(rerunStandardError(single, single)).toMatchObject({ estimate: 0, se: null, refusal: 'one-epoch' })
    expect(passHatK([1, 1], [1, 0], 2)).toEqual({
      estimate: null,
      perTask: [null, null],
      refusal: 'too-few-trials',
    })
  })
})

describe('tasks that are all the same', () => {
  it('give no interval without a width, and never p = 0', () => {
    const refused = { ...none, refusal: 'no-spread' }
    const [all, half] = [tasks(Array(9).fill([1, 1])), tasks(Array(9).fill([1, 0]))]
    expect(pairedTaskDifference(all, half, 0.95)).toMatchObject({ estimate: 0.5, se: 0, p: null, ...refused })
    expect(taskMeanInterval(half, 0.95)).toMatchObject({ estimate: 0.5, se: 0, ...refused })
    expect(fiellerRatio([1, 2, 3], [2, 4, 6], 0.95)).toMatchObject({ ratio: 0.5, ...refused })
    expect(logRatioInterval([1, 2, 3], [2, 4, 6], 0.95)).toMatchObject({ ratio: 0.5, ...refused })
    expect(medianRatio([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12], 0.95)).toMatchObject({
      ratio: 0.5,
      ...refused,
    })
    expect(costPerSuccess(Array(4).fill({ cost: 0.1, success: 1 }), 0.95)).toMatchObject({ ...refused })
    expect(costPerSuccessRatio([one, one], [one, one], 0.95)).toMatchObject({ ratio: 1, ...refused })
    expect(tostPaired([0.1, 0.1, 0.1], -0.2, 0.2, 0.05)).toMatchObject({ p: null, equivalent: false })
    expect(varianceComponents(all)).toMatchObject({ between: 0, within: 0, icc: null, refusal: 'no-spread' })
    expect(bcaInterval(0.3, [0.3, 0.3, 0.3], [0.1, 0.2], 0.95)).toMatchObject({ z0: null, ...none })
    expect(wilcoxonSignedRank([0, 0])).toMatchObject({ n: 0, pExact: 1, refusal: 'not-separated' })
  })
  const one = { cost: 2, success: 1 }

  it('are recognised despite the noise of means of epochs', () => {
    const thirds = tasks(Array(9).fill([1, 1, 0]))
    const others = tasks(Array(9).fill([1, 0, 1]))
    for (const row of thirds) row.mean = 1 / 3 + 1 / 3
    expect(pairedTaskDifference(thirds, others, 0.95)).toMatchObject({ estimate: 0, se: 0, p: null })
    expect(signFlipTest([1e-17, -3e-17, 5e-18])).toMatchObject({ statistic: 0, p: 1 })
  })
})

describe('ratios', () => {
  it('to 0 do not exist, and neither do logarithms of 0', () => {
    expect(fiellerRatio([1, 2], [0, 0], 0.95)).toMatchObject({ ratio: null, refusal: 'zero-baseline' })
    expect(logRatioInterval([0, 0], [1, 2], 0.95)).toMatchObject({
      ratio: 0,
      lower: null,
      refusal: 'not-positive',
    })
    expect(geometricMeanRatio([1, 0], [1, 2], 0.95)).toMatchObject({ ratio: null, refusal: 'not-positive' })
    expect(geometricMean([1, 0], 0.95)).toMatchObject({ estimate: null, refusal: 'not-positive' })
    expect(
      costPerSuccess(
        [
          { cost: 0, success: 1 },
          { cost: 0, success: 0 },
        ],
        0.95,
      ),
    ).toMatchObject({
      estimate: 0,
      lower: null,
      refusal: 'not-positive',
    })
    // Resamples without any y have no ratio; the others have.
    expect(bootstrapRatio(Float64Array.of(1, 2, 3), Float64Array.of(0, 2, 2), 0.95).upper).not.toBeNull()
  })

  it('are unbounded, with a reason, if the interval of the baseline includes 0', () => {
    const wild = fiellerRatio([0, 9, 0, 0.1], [0, 9.5, 0.2, 0], 0.95)
    expect(wild).toMatchObject({ kind: 'unbounded', ...none, refusal: 'unclear-denominator' })
    expect(wild.ratio).toBeCloseTo(9.1 / 9.7, 12)
  })
})

describe('trials added one by one', () => {
  it('have the same sums as all trials together', () => {
    const values = [3, 8, null, 1, 4.5]
    const sums = emptySums(2)
    for (const value of values) addTrial(sums, 1, value)
    const task = taskValue(sums, 1)
    const [whole] = tasks([values])
    expect(task).toMatchObject({ trials: 4, missing: 1 })
    expect(task.mean).toBeCloseTo(whole?.mean as number, 12)
    expect(task.squares).toBeCloseTo(whole?.squares as number, 10)
  })
})

describe('the median of ratios', () => {
  it('has the interval between the order statistics that a sign test does not reject', () => {
    const x = [12, 7, 30, 5, 18, 9, 22, 14, 11, 25, 16]
    const y = [10, 10, 20, 9, 12, 10, 11, 20, 10, 10, 10]
    const { ratio, lower, upper } = medianRatio(x, y, 0.9)
    const ratios = x.map((value, index) => value / (y[index] as number)).sort((a, b) => a - b)
    expect(ratio).toBe(ratios[5])
    // Of 11 fair coins at most 2 show heads with a chance of 3.27%, at most 3 with one of 11.3%.
    expect(lower).toBe(ratios[2])
    expect(upper).toBe(ratios[8])
  })

  it('has no interval for five tasks, which cannot reach 95%, and the extremes of six', () => {
    const x = [1, 2, 3, 4, 5, 6]
    const ones = x.map(() => 1)
    expect(medianRatio(x, ones, 0.95)).toMatchObject({ ratio: 3.5, lower: 1, upper: 6 })
    const five = medianRatio(x.slice(1), ones.slice(1), 0.95)
    expect(five).toMatchObject({ ratio: 4, ...none, refusal: 'few-for-limits' })
  })
})
