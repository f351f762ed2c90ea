import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { betaQuantile, incompleteBeta } from '../../../src/analysis/numeric/beta.ts'
import { upperGamma } from '../../../src/analysis/numeric/gamma.ts'
import { normalQuantile, normalTail } from '../../../src/analysis/numeric/normal.ts'
import { quantileOfSorted } from '../../../src/analysis/numeric/quantile.ts'
import { midranks, roundOffNoise, tieSum } from '../../../src/analysis/numeric/ranks.ts'
import { noncentralTail, studentQuantile, studentTail } from '../../../src/analysis/numeric/student.ts'
import { studentizedRangeQuantile } from '../../../src/analysis/numeric/studentized-range.ts'
import { chiSquaredTail, coinDensity, coinTail, fTail } from '../../../src/analysis/numeric/tails.ts'

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
