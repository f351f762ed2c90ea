import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { skewedMargins, studentMargins } from '../../../src/analysis/numeric/margins.ts'
import { adjustedSkewness, meanOf, standardError } from '../../../src/analysis/numeric/moments.ts'
import { studentQuantile } from '../../../src/analysis/numeric/student.ts'
import {
  costPerSuccess,
  costPerSuccessRatio,
  jackknifeError,
} from '../../../src/analysis/ratios/cost-per-success.ts'

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
