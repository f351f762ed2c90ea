import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paretoFrontier } from '../../../src/analysis/compare/frontier-of.ts'
import { friedmanTest } from '../../../src/analysis/families/friedman-test.ts'
import { benjaminiHochbergAdjust, holmAdjust } from '../../../src/analysis/families/holm.ts'
import { normalTail } from '../../../src/analysis/numeric/normal.ts'
import { newcombePairedInterval } from '../../../src/analysis/paired/majorities.ts'
import { mcnemarTest } from '../../../src/analysis/paired/mcnemar-test.ts'
import {
  flipShareOfHalves,
  flipShareOfIntegers,
  signFlipTest,
} from '../../../src/analysis/paired/sign-flip-test.ts'
import { differences, rerunStandardError } from '../../../src/analysis/paired/task-difference.ts'
import { hodgesLehmann, wilcoxonSignedRank } from '../../../src/analysis/paired/wilcoxon-signed-rank.ts'
import { costPerSuccess, costPerSuccessRatio } from '../../../src/analysis/ratios/cost-per-success.ts'
import { fiellerRatio, geometricMeanRatio, logRatioInterval } from '../../../src/analysis/ratios/ratio.ts'
import { bootstrapMean, replicateMeans } from '../../../src/analysis/resampling/bootstrap.ts'
import {
  clopperPearsonInterval,
  clusteredProportion,
  type Interval,
  jeffreysInterval,
  wilsonInterval,
} from '../../../src/analysis/tasks/interval.ts'
import {
  clusteredStandardError,
  geometricMean,
  taskMeanInterval,
} from '../../../src/analysis/tasks/mean-interval.ts'
import { missingBounds, pairedMeans } from '../../../src/analysis/tasks/task-value.ts'
import { varianceComponents } from '../../../src/analysis/tasks/variance-components.ts'
import { seededRandom } from '../../../src/base/random.ts'
import { pairedTaskDifference, taskValues } from '../task-values.ts'

/** Expects two numbers that may differ in their last digits, or two nulls. */
function expectNear(got: number | null, want: number | null): void {
  if (got === null || want === null) expect(got).toBe(want)
  else expect(Math.abs(got - want)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(want)))
}

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
        const means = pairedMeans(a, b)
        const resampled = (values: number[]) => {
          const [replicates] = replicateMeans([Float64Array.from(values)], 200, seededRandom('turned'))
          return bootstrapMean(values, replicates as Float64Array, level)
        }
        const turned = resampled(differences(means.b, means.a))
        expectNear(turned.lower, negative(resampled(differences(means.a, means.b)).upper))
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

describe('laws of tests', () => {
  const level = 0.95
  const difference = fc.integer({ min: -10, max: 10 }).map((value) => value / 10)

  describe('exact sign flips', () => {
    it('give the same p by integers, by halves, and by counting every pattern', () => {
      const count = (values: number[]) => {
        const observed = Math.abs(values.reduce((sum, value) => sum + value, 0))
        let hits = 0
        for (let pattern = 0; pattern < 2 ** values.length; pattern++) {
          const sum = values.reduce((all, value, bit) => all + (pattern & (1 << bit) ? value : -value), 0)
          if (Math.abs(sum) >= observed) hits++
        }
        return hits / 2 ** values.length
      }
      const nonzero = fc.integer({ min: -9, max: 9 }).filter((value) => value !== 0)
      fc.assert(
        fc.property(fc.array(nonzero, { minLength: 1, maxLength: 10 }), (values) => {
          expect(flipShareOfIntegers(values)).toBeCloseTo(count(values), 12)
          expect(flipShareOfHalves(values)).toBeCloseTo(count(values), 12)
        }),
      )
    })

    it('are counted for any number of success rates and of decimals', () => {
      const thirds = Array.from({ length: 300 }, (_, index) => ((index * 7) % 5) / 3 - 0.6)
      const decimals = Array.from({ length: 60 }, (_, index) => ((index * 7919) % 1999) / 10_000 - 0.08)
      for (const values of [thirds, decimals]) {
        const { p, flips } = signFlipTest(values)
        expect(flips).toBeNull()
        const sum = values.reduce((all, value) => all + value, 0)
        const z = Math.abs(sum) / Math.sqrt(values.reduce((all, value) => all + value ** 2, 0))
        expect(Math.abs((p as number) - 2 * normalTail(z))).toBeLessThan(0.02)
      }
    })

    it('are drawn at random if there are too many, with the same numbers for the same seed', () => {
      const values = Array.from({ length: 200 }, (_, index) => Math.sin(index) + 0.1)
      const first = signFlipTest(values, 'seed')
      expect(first.flips).toBe(9_999)
      expect(signFlipTest(values, 'seed')).toEqual(first)
      // 200 differences are enough for the normal approximation.
      const sum = values.reduce((all, value) => all + value, 0)
      const z = Math.abs(sum) / Math.sqrt(values.reduce((all, value) => all + value ** 2, 0))
      expect(Math.abs((first.p as number) - 2 * normalTail(z))).toBeLessThan(0.01)
    })
  })

  describe('families', () => {
    const p = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 12 })

    it('never lower a p-value, keep order and gaps, and are stricter with Holm', () => {
      fc.assert(
        fc.property(p, (values) => {
          const before = [...values]
          const [holm, bh] = [holmAdjust(values), benjaminiHochbergAdjust(values)]
          expect(values).toEqual(before)
          for (const [index, value] of values.entries()) {
            if (value === null) expect([holm[index], bh[index]]).toEqual([null, null])
            else {
              expect(bh[index] as number).toBeGreaterThanOrEqual(value - 1e-15)
              expect(holm[index] as number).toBeGreaterThanOrEqual((bh[index] as number) - 1e-15)
              expect(holm[index] as number).toBeLessThanOrEqual(1)
            }
          }
        }),
      )
    })

    it('have no test if all methods are equal on every task', () => {
      expect(friedmanTest([[1, 1, 1]], true)).toMatchObject({ p: null, refusal: 'not-separated' })
      expect(friedmanTest([[null, 1]], true)).toMatchObject({ p: null, refusal: 'no-task', nTasks: 0 })
    })
  })

  describe('clusters', () => {
    it('with one trial each give the naive error, and with equal epochs that of task means', () => {
      fc.assert(
        fc.property(fc.array(difference, { minLength: 2, maxLength: 20 }), (values) => {
          const alone = clusteredStandardError(taskValues(values.map((value) => [value])))
          expectNear(alone.se, alone.seNaive)
        }),
      )
      const cells = [
        [1, 0, 1],
        [0, 0, 1],
        [1, 1, 1],
        [0, 0, 0],
      ]
      const tasks = taskValues(cells)
      expectNear(clusteredStandardError(tasks).se, taskMeanInterval(tasks, level).se)
    })
  })

  describe('the frontier', () => {
    it('holds the best and the cheapest method, and does not change with a further dominated method', () => {
      const point = fc.tuple(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 1, max: 10 }))
      fc.assert(
        fc.property(fc.array(point, { minLength: 1, maxLength: 8 }), (points) => {
          const [success, cost] = [points.map(([value]) => value), points.map(([, value]) => value)]
          const { onFrontier } = paretoFrontier(success, cost)
          expect(onFrontier).toContain(true)
          const worse = paretoFrontier([...success, -1], [...cost, 11]).onFrontier
          expect(worse).toEqual([...onFrontier, false])
          expect(paretoFrontier([...success, null], [...cost, 1]).onFrontier).toEqual([...onFrontier, false])
        }),
      )
    })
  })
})
