import { describe, expect, it } from 'vitest'
import { newcombePairedInterval } from '../../src/analysis/paired/majorities.ts'
import { tangoLowerLimit, tangoScore } from '../../src/analysis/paired/mcnemar-test.ts'

const z = 1.959963984540054

describe("Tango's score test", () => {
  it('of 43 tasks that both solved and one that only B solved, against -10 points', () => {
    // The quadratic is 88 q^2 - 9.9 q + 0.11 = 0, so q = (7.7 + 9.9) / 176 = 0.1, and the variance 44 (0.2 - 0.11) = 3.96.
    expect(tangoScore({ onlyA: 0, onlyB: 1, n: 44 }, -0.1)).toBeCloseTo(3.4 / Math.sqrt(3.96), 10)
  })

  it("is McNemar's test of a difference of 0", () => {
    expect(tangoScore({ onlyA: 12, onlyB: 2, n: 50 }, 0)).toBeCloseTo(10 / Math.sqrt(14), 10)
    expect(tangoScore({ onlyA: 0, onlyB: 0, n: 50 }, 0)).toBe(0)
  })

  it.each([6, 12, 40, 200])('has the limit -z^2 / (n + z^2) where no task of %d separates', (n) => {
    expect(tangoLowerLimit({ onlyA: 0, onlyB: 0, n }, 0.025)).toBeCloseTo(-(z ** 2) / (n + z ** 2), 10)
  })

  it.each([
    [0, 1, 44],
    [3, 0, 40],
    [12, 2, 50],
    [0, 20, 20],
    [20, 0, 20],
  ])('rejects just the differences below its limit: %d and %d of %d', (onlyA, onlyB, n) => {
    const counts = { onlyA, onlyB, n }
    const limit = tangoLowerLimit(counts, 0.025)
    expect(limit).toBeGreaterThanOrEqual(-1)
    expect(limit).toBeLessThan((onlyA - onlyB) / n + 1e-12)
    if (limit > -0.999) expect(tangoScore(counts, limit - 1e-6)).toBeGreaterThan(z)
    if (limit > -0.999) expect(tangoScore(counts, limit + 1e-6)).toBeLessThan(z)
  })

  it("is stricter than Newcombe's limit where one method solves nothing that the other does not", () => {
    const newcombe = newcombePairedInterval(22, 0, 1, 17, 0.95).lower as number
    expect(tangoLowerLimit({ onlyA: 0, onlyB: 1, n: 40 }, 0.025)).toBeLessThan(newcombe)
  })
})
