import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paretoFrontier } from '../../../src/analysis/compare/frontier-of.ts'
import { friedmanTest } from '../../../src/analysis/families/friedman-test.ts'
import { benjaminiHochbergAdjust, holmAdjust } from '../../../src/analysis/families/holm.ts'
import { normalTail } from '../../../src/analysis/numeric/normal.ts'
import {
  flipShareOfHalves,
  flipShareOfIntegers,
  signFlipTest,
} from '../../../src/analysis/paired/sign-flip-test.ts'
import { clusteredStandardError, taskMeanInterval } from '../../../src/analysis/tasks/mean-interval.ts'
import { expectNear } from '../expect-near.ts'
import { taskValues } from '../task-values.ts'

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
