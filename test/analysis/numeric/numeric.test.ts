import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { studentizedRangeQuantile } from '../../../src/analysis/families/friedman-test.ts'
import { betaQuantile, incompleteBeta } from '../../../src/analysis/numeric/beta.ts'
import { skewedMargins, studentMargins } from '../../../src/analysis/numeric/margins.ts'
import {
  adjustedSkewness,
  meanOf,
  midranks,
  quantileOfSorted,
  roundOffNoise,
  standardError,
  tieSum,
} from '../../../src/analysis/numeric/moments.ts'
import { normalQuantile, normalTail, upperGamma } from '../../../src/analysis/numeric/normal.ts'
import { noncentralTail, studentQuantile, studentTail } from '../../../src/analysis/numeric/student.ts'
import { chiSquaredTail, coinDensity, coinTail, fTail } from '../../../src/analysis/numeric/tails.ts'
import {
  costPerSuccess,
  costPerSuccessRatio,
  jackknifeError,
} from '../../../src/analysis/ratios/cost-per-success.ts'

const file = new URL('../../../fixtures/stats-reference/special-functions.json', import.meta.url)
const { functions } = JSON.parse(readFileSync(file, 'utf8')) as { functions: Record<string, number[][]> }

/** The greatest relative error over SciPy's values; those below 1e-290 lose digits on both sides. */
function worst(name: string, evaluate: (...args: number[]) => number): number {
  const rows = functions[name] ?? []
  expect(rows.length).toBeGreaterThanOrEqual(20)
  return rows.reduce((most, row) => {
    const want = row.at(-1) as number
    const error = Math.abs(evaluate(...row.slice(0, -1)) - want)
    return Math.max(most, Math.abs(want) < 1e-290 ? error : error / Math.abs(want))
  }, 0)
}

describe('distributions agree with SciPy', () => {
  it.each([
    ['incompleteBeta', incompleteBeta, 1e-10],
    ['betaQuantile', betaQuantile, 1e-10],
    ['upperGamma', upperGamma, 1e-11],
    ['normalQuantile', normalQuantile, 1e-14],
    ['normalTail', normalTail, 1e-12],
    ['studentQuantile', studentQuantile, 1e-10],
    ['studentTail', studentTail, 1e-11],
    ['chiSquaredTail', chiSquaredTail, 1e-12],
    ['fTail', fTail, 1e-11],
    ['coinTail', coinTail, 1e-11],
    ['noncentralTail', noncentralTail, 1e-8],
    ['studentizedRangeQuantile', studentizedRangeQuantile, 1e-6],
  ] as const)('%s', (name, evaluate, tolerance) => {
    expect(worst(name, evaluate as (...args: number[]) => number)).toBeLessThan(tolerance)
  })

  it('and quantiles are the inverse of the distributions', () => {
    const share = fc.double({ min: 0.01, max: 0.99, noNaN: true })
    const size = fc.double({ min: 0.5, max: 500, noNaN: true })
    fc.assert(
      fc.property(share, size, size, (p, a, b) => {
        expect(incompleteBeta(betaQuantile(p, a, b), a, b)).toBeCloseTo(p, 9)
        expect(1 - studentTail(studentQuantile(p, a), a)).toBeCloseTo(p, 9)
        expect(1 - normalTail(normalQuantile(p))).toBeCloseTo(p, 11)
      }),
    )
  })

  it('and the probabilities of coin tosses sum to 1', () => {
    for (const n of [1, 7, 60]) {
      let sum = 0
      for (let k = 0; k <= n; k++) {
        sum += coinDensity(k, n)
        expect(coinTail(k, n)).toBeCloseTo(sum, 11)
      }
      expect(sum).toBeCloseTo(1, 11)
    }
  })
})

describe('order statistics', () => {
  it('give ties their mean rank and count them', () => {
    expect(midranks([3, 1, 3, 2])).toEqual([3.5, 1, 3.5, 2])
    expect(tieSum([3, 1, 3, 2, 2, 2])).toBe(6 + 24)
  })

  it('interpolate quantiles between neighbours', () => {
    const values = Float64Array.from([1, 2, 3, 4])
    expect(quantileOfSorted(values, 0.5)).toBe(2.5)
    expect(quantileOfSorted(values, 0)).toBe(1)
    expect(quantileOfSorted(values, 1)).toBe(4)
  })

  it('ignore floating-point noise in means of epochs', () => {
    expect(roundOffNoise([1 / 3 + 1 / 3 - 2 / 3 + 1e-17, 0.1 + 0.2, 0.3])).toEqual([0, 0.3, 0.3])
    expect(roundOffNoise([100_000.1 - 100_000, 12_345.678 - 2_345.678, 1e5])[1]).toBe(10_000)
  })
})

const level = 0.95
// Values whose spread is more than rounding.
const spread = fc
  .array(fc.integer({ min: -50, max: 50 }), { minLength: 3, maxLength: 30 })
  .filter((values) => new Set(values).size > 1)

describe('margins for skewed values', () => {
  it('are those of t for symmetric values, or for two values', () => {
    for (const values of [
      [1, 2, 3, 4, 5],
      [3, 8],
    ])
      expect(skewedMargins(values, level)).toEqual(studentMargins(values, level))
  })

  it('solve Hall’s cubic on the side of the long tail', () => {
    const values = [1, 1, 2, 2, 3, 4, 4, 5, 6, 9]
    const n = values.length
    const { below, above } = skewedMargins(values, level)
    const deviation = (standardError(values) as number) * Math.sqrt(n)
    const centre = meanOf(values)
    const moment = (power: number) => meanOf(values.map((value) => (value - centre) ** power))
    const g = ((moment(3) / moment(2) ** 1.5) * Math.sqrt(n * (n - 1))) / (n - 2)
    const t = -above / deviation
    const transformed = t + (g * t ** 2) / 3 + (g ** 2 * t ** 3) / 27 + g / (6 * n)
    expect(transformed).toBeCloseTo(-studentQuantile(0.975, n - 1) / Math.sqrt(n), 10)
    expect(above).toBeGreaterThan(studentMargins(values, level).above)
    expect(below).toBe(studentMargins(values, level).below)
  })

  it('stay at the inflexion of the cubic, beyond which its inverse runs away', () => {
    const values = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    const { below, above } = skewedMargins(values, level)
    const deviation = (standardError(values) as number) * Math.sqrt(values.length)
    expect(above).toBeCloseTo((3 * deviation) / adjustedSkewness(values), 10)
    expect(below).toBe(studentMargins(values, level).below)
  })

  it('are never narrower than t, swap with the sign, and scale with the unit', () => {
    fc.assert(
      fc.property(spread, (values) => {
        const [skewed, student] = [skewedMargins(values, level), studentMargins(values, level)]
        expect(skewed.below).toBeGreaterThanOrEqual(student.below)
        expect(skewed.above).toBeGreaterThanOrEqual(student.above)
        const turned = skewedMargins(
          values.map((value) => -value),
          level,
        )
        expect(turned.below).toBeCloseTo(skewed.above, 8)
        const scaled = skewedMargins(
          values.map((value) => 1000 * value + 7),
          level,
        )
        expect(scaled.above / 1000).toBeCloseTo(skewed.above, 6)
      }),
    )
  })

  it('widen a cost per success upwards if one task is expensive, and keep its estimate', () => {
    const tasks = [0.1, 0.1, 0.2, 0.1, 0.2, 2].map((cost, index) => ({ cost, success: index % 2 }))
    const [plain, widened] = [costPerSuccess(tasks, level), costPerSuccess(tasks, level, skewedMargins)]
    expect(widened.estimate).toBe(plain.estimate)
    expect(widened.upper as number).toBeGreaterThan(plain.upper as number)
    expect(widened.lower as number).toBeLessThanOrEqual(plain.lower as number)
  })
})

describe('the jackknife of a ratio of two costs per success', () => {
  const ours = [1, 2, 3, 2, 5, 4].map((cost, index) => ({
    cost,
    success: [1, 0.5, 0, 1, 0.5, 1][index] as number,
  }))
  const theirs = [2, 2, 4, 3, 5, 9].map((cost, index) => ({
    cost,
    success: [1, 0, 0.5, 1, 0, 0.5][index] as number,
  }))

  it('is the spread of the logarithms that leave a task out', () => {
    const { ratio, lower, upper } = costPerSuccessRatio(ours, theirs, level, jackknifeError)
    const price = (tasks: typeof ours, out: number) => {
      const kept = tasks.filter((_, index) => index !== out)
      return (
        kept.reduce((sum, { cost }) => sum + cost, 0) / kept.reduce((sum, { success }) => sum + success, 0)
      )
    }
    const logs = ours.map((_, out) => Math.log(price(ours, out) / price(theirs, out)))
    const centre = meanOf(logs)
    const error = Math.sqrt((5 / 6) * logs.reduce((sum, log) => sum + (log - centre) ** 2, 0))
    expect(Math.log((upper as number) / (ratio as number))).toBeCloseTo(studentQuantile(0.975, 5) * error, 10)
    expect(Math.log((ratio as number) / (lower as number))).toBeCloseTo(studentQuantile(0.975, 5) * error, 10)
  })

  it('gives no limits if one task holds all successes of a method', () => {
    const once = ours.map((task, index) => ({ ...task, success: index === 3 ? 1 : 0 }))
    expect(costPerSuccessRatio(once, theirs, level, jackknifeError)).toMatchObject({
      lower: null,
      upper: null,
      refusal: 'one-task-decides',
    })
  })
})
