import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hodgesLehmann } from '../../../src/analysis/paired/hodges-lehmann.ts'
import { newcombePairedInterval } from '../../../src/analysis/paired/majorities.ts'
import { mcnemarTest } from '../../../src/analysis/paired/mcnemar-test.ts'
import { rerunStandardError } from '../../../src/analysis/paired/rerun-standard-error.ts'
import { signFlipTest } from '../../../src/analysis/paired/sign-flip-test.ts'
import { differences } from '../../../src/analysis/paired/task-difference.ts'
import { wilcoxonSignedRank } from '../../../src/analysis/paired/wilcoxon-signed-rank.ts'
import { costPerSuccess, costPerSuccessRatio } from '../../../src/analysis/ratios/cost-per-success.ts'
import { fiellerRatio, geometricMeanRatio, logRatioInterval } from '../../../src/analysis/ratios/ratio.ts'
import { bootstrapMean } from '../../../src/analysis/resampling/bootstrap.ts'
import {
  clopperPearsonInterval,
  clusteredProportion,
  type Interval,
  jeffreysInterval,
  wilsonInterval,
} from '../../../src/analysis/tasks/interval.ts'
import { geometricMean, taskMeanInterval } from '../../../src/analysis/tasks/mean-interval.ts'
import { missingBounds, pairedMeans } from '../../../src/analysis/tasks/task-value.ts'
import { varianceComponents } from '../../../src/analysis/tasks/variance-components.ts'
import { expectNear } from '../expect-near.ts'
import { pairedTaskDifference, taskValues } from '../task-values.ts'

const level = 0.95
const trial = fc.option(fc.integer({ min: 0, max: 1 }), { freq: 8 })
const row = fc.array(trial, { minLength: 1, maxLength: 5 })
const pairOfCells = fc
  .array(fc.tuple(row, row), { minLength: 2, maxLength: 25 })
  .map((rows) => ({ a: rows.map(([a]) => a), b: rows.map(([, b]) => b) }))
const amount = fc.integer({ min: 1, max: 1_000_000 }).map((value) => value / 100)
const pairs = fc.array(fc.tuple(amount, amount), { minLength: 2, maxLength: 25 })
const difference = fc.integer({ min: -10, max: 10 }).map((value) => value / 10)

function expectHolds({ estimate, lower, upper }: Interval, low = -Infinity, high = Infinity): void {
  if (estimate === null || lower === null || upper === null) return
  const slack = 1e-9 * Math.max(1, Math.abs(estimate))
  expect(lower).toBeLessThanOrEqual(estimate + slack)
  expect(upper).toBeGreaterThanOrEqual(estimate - slack)
  expect(upper).toBeGreaterThan(lower)
  expect(lower).toBeGreaterThanOrEqual(low)
  expect(upper).toBeLessThanOrEqual(high)
}
const negative = (value: number | null) => (value === null ? null : -value)
const inverse = (value: number | null) => (value === null ? null : 1 / value)

describe('an interval contains its estimate and has a width', () => {
  it('for shares, and stays in [0, 1]', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), (successes, failures) => {
        fc.pre(successes + failures > 0)
        for (const interval of [wilsonInterval, jeffreysInterval, clopperPearsonInterval])
          expectHolds(interval(successes, successes + failures, level), 0, 1)
      }),
    )
    fc.assert(
      fc.property(pairOfCells, ({ a }) => expectHolds(clusteredProportion(taskValues(a), level), 0, 1)),
    )
  })

  it('for differences and means', () => {
    const count = fc.nat(40)
    fc.assert(
      fc.property(count, count, count, count, (both, onlyA, onlyB, neither) => {
        expectHolds(newcombePairedInterval(both, onlyA, onlyB, neither, level), -1, 1)
      }),
    )
    fc.assert(
      fc.property(pairOfCells, ({ a, b }) => {
        expectHolds(pairedTaskDifference(taskValues(a), taskValues(b), level))
        expectHolds(taskMeanInterval(taskValues(a), level))
      }),
    )
    fc.assert(
      fc.property(fc.array(difference, { minLength: 6, maxLength: 15 }), (values) => {
        const { estimate, lower, upper } = hodgesLehmann(values, level)
        expect(lower as number).toBeLessThanOrEqual(estimate as number)
        expect(upper as number).toBeGreaterThanOrEqual(estimate as number)
      }),
    )
  })

  it('for ratios and costs', () => {
    fc.assert(
      fc.property(pairs, (values) => {
        const [x, y] = [values.map(([value]) => value), values.map(([, value]) => value)]
        for (const { ratio, ...limits } of [
          fiellerRatio(x, y, level),
          logRatioInterval(x, y, level),
          geometricMeanRatio(x, y, level),
        ])
          expectHolds({ estimate: ratio, ...limits })
        expectHolds(geometricMean(x, level))
        const tasks = values.map(([cost, other]) => ({ cost, success: (other % 3) / 3 }))
        expectHolds(costPerSuccess(tasks, level), 0)
      }),
    )
  })
})

describe('swapping A and B reverses a comparison and changes no p-value', () => {
  it('for differences', () => {
    fc.assert(
      fc.property(pairOfCells, (cells) => {
        const [a, b] = [taskValues(cells.a), taskValues(cells.b)]
        const [one, other] = [pairedTaskDifference(a, b, level), pairedTaskDifference(b, a, level)]
        expectNear(other.p, one.p)
        expectNear(other.estimate, negative(one.estimate))
        expectNear(other.lower, negative(one.upper))
        const [low, high] = [missingBounds(a, b).low, missingBounds(b, a).high]
        expectNear(high, negative(low))
        expectNear(rerunStandardError(b, a).se, rerunStandardError(a, b).se)
        const drawn = { confidence: level, resamples: 200, seed: 1 }
        const means = pairedMeans(a, b)
        const resampled = bootstrapMean(differences(means.a, means.b), drawn)
        expectNear(bootstrapMean(differences(means.b, means.a), drawn).lower, negative(resampled.upper))
      }),
      { numRuns: 50 },
    )
  })

  it('for tests of differences', () => {
    fc.assert(
      fc.property(fc.array(difference, { minLength: 1, maxLength: 20 }), (values) => {
        const turned = values.map((value) => -value)
        expectNear(signFlipTest(turned).p, signFlipTest(values).p)
        expectNear(wilcoxonSignedRank(turned).pExact, wilcoxonSignedRank(values).pExact)
        expectNear(wilcoxonSignedRank(turned).pNormal, wilcoxonSignedRank(values).pNormal)
      }),
    )
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), (b, c) => {
        expect(mcnemarTest(b, c)).toEqual(mcnemarTest(c, b))
      }),
    )
  })

  it('for ratios', () => {
    fc.assert(
      fc.property(pairs, (values) => {
        const [x, y] = [values.map(([value]) => value), values.map(([, value]) => value)]
        for (const interval of [logRatioInterval, geometricMeanRatio]) {
          const [one, other] = [interval(x, y, level), interval(y, x, level)]
          expectNear(other.ratio, inverse(one.ratio))
          expectNear(other.lower, inverse(one.upper))
        }
        const [one, other] = [fiellerRatio(x, y, level), fiellerRatio(y, x, level)]
        if (one.kind === 'bounded' && other.kind === 'bounded') {
          expectNear((other.upper as number) * (one.lower as number), 1)
          expectNear((other.lower as number) * (one.upper as number), 1)
        }
        const tasks = values.map(([cost, rate]) => ({ cost, success: (1 + (rate % 3)) / 4 }))
        const others = values.map(([rate, cost]) => ({ cost, success: (1 + (rate % 3)) / 4 }))
        const ratio = costPerSuccessRatio(tasks, others, level)
        expectNear(costPerSuccessRatio(others, tasks, level).ratio, inverse(ratio.ratio))
        expectNear(costPerSuccessRatio(others, tasks, level).lower, inverse(ratio.upper))
      }),
    )
  })
})

describe('the order of tasks', () => {
  it('changes no estimate, interval or p-value', () => {
    fc.assert(
      fc.property(pairOfCells, (cells) => {
        const [a, b] = [taskValues(cells.a), taskValues(cells.b)]
        const [ra, rb] = [[...a].reverse(), [...b].reverse()]
        const [one, other] = [pairedTaskDifference(a, b, level), pairedTaskDifference(ra, rb, level)]
        for (const field of ['estimate', 'lower', 'upper', 'p'] as const) expectNear(other[field], one[field])
        expectNear(clusteredProportion(ra, level).upper, clusteredProportion(a, level).upper)
        expectNear(varianceComponents(ra).icc, varianceComponents(a).icc)
      }),
    )
  })
})

describe('units', () => {
  it('change no p-value and no ratio', () => {
    fc.assert(
      fc.property(pairs, fc.constantFrom(1e-6, 0.01, 7, 1000), (values, unit) => {
        const [x, y] = [values.map(([value]) => value), values.map(([, value]) => value)]
        const scaled = (list: number[]) => list.map((value) => value * unit)
        const [one, other] = [fiellerRatio(x, y, level), fiellerRatio(scaled(x), scaled(y), level)]
        expectNear(other.ratio, one.ratio)
        expectNear(inverse(other.upper), inverse(one.upper))
        expect(other.kind).toBe(one.kind)
        expectNear(geometricMeanRatio(scaled(x), scaled(y), level).p, geometricMeanRatio(x, y, level).p)
        const cells = (list: number[]) => taskValues(list.map((value) => [value]))
        const p = pairedTaskDifference(cells(x), cells(y), level).p
        expectNear(pairedTaskDifference(cells(scaled(x)), cells(scaled(y)), level).p, p)
      }),
    )
  })
})
