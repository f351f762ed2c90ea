import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { betaQuantile, incompleteBeta } from '../../src/analysis/beta.ts'
import { costPerSuccess } from '../../src/analysis/cost-per-success.ts'
import { clusteredProportion, wilsonInterval } from '../../src/analysis/proportion.ts'
import { normalQuantile, studentQuantile } from '../../src/analysis/quantiles.ts'

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const close = (got: number | null, expected: number) => {
  expect(got).not.toBeNull()
  expect(Math.abs((got as number) - expected)).toBeLessThanOrEqual(Math.max(1e-8, 1e-7 * Math.abs(expected)))
}

// 24 tasks with 5 epochs each, 1 passed.
const epochs24x5 =
  '11111 11111 11111 00000 00000 01010 00000 10101 11110 00000 11111 11110 10101 10100 11111 01111 10011 10111 11111 00011 00000 01111 10011 11101'
    .split(' ')
    .map((task) => [...task].map(Number))

describe('quantiles', () => {
  it('agree with SciPy to ten digits', () => {
    const pairs: [number, number][] = [
      [betaQuantile(0.025, 23.34, 16.56), 0.4307979114782125],
      [betaQuantile(0.025, 0.5, 3), 0.00017781993293475778],
      [betaQuantile(0.975, 5000.5, 7000), 0.42552432809221036],
      [betaQuantile(0.025, 90_000, 10_001), 0.8981239977830161],
      [betaQuantile(0.025, 0.05, 3), 2.0918805609333636e-33],
      [incompleteBeta(0.3, 2.5, 4), 0.3521975859067672],
      [normalQuantile(1e-20), -9.262340089798409],
      [normalQuantile(1e-6), -4.753424308822899],
      [normalQuantile(0.3), -0.5244005127080409],
      [normalQuantile(0.975), 1.959963984540054],
      [studentQuantile(0.975, 1), 12.706204736174694],
      [studentQuantile(0.975, 23), 2.0686576104190486],
      [studentQuantile(0.025, 119), -1.98009987645694],
      [studentQuantile(0.975, 99_999), 1.9599877077718442],
      [studentQuantile(0.95, 3.5), 2.2224334936496004],
    ]
    for (const [got, expected] of pairs) expect(Math.abs(got / expected - 1)).toBeLessThan(1e-10)
  })

  it('undo the distribution function', () => {
    const size = fc.double({ min: 0.5, max: 500, noNaN: true })
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.99, noNaN: true }), size, size, (p, a, b) => {
        expect(incompleteBeta(betaQuantile(p, a, b), a, b)).toBeCloseTo(p, 8)
      }),
    )
  })
})

describe('Wilson interval', () => {
  it('agrees with R, also at zero successes', () => {
    const some = wilsonInterval(18, 24, 0.95)
    close(some.estimate, 0.75)
    close(some.lower, 0.55100555994846)
    close(some.upper, 0.88000633771405)
    const none = wilsonInterval(0, 20, 0.95)
    expect(none.lower).toBe(0)
    close(none.upper, 0.161125158052819)
  })

  it('lies in [0, 1] and holds its estimate', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, share) => {
          const { estimate, lower, upper } = wilsonInterval(Math.round(n * share), n, 0.95)
          expect(lower).toBeGreaterThanOrEqual(0)
          expect(upper).toBeLessThanOrEqual(1)
          expect(lower as number).toBeLessThanOrEqual(estimate as number)
          expect(upper as number).toBeGreaterThanOrEqual(estimate as number)
          expect(upper as number).toBeGreaterThan(lower as number)
        },
      ),
    )
  })
})

describe('clustered proportion', () => {
  it('agrees with survey::svyciprop', () => {
    const result = clusteredProportion(epochs24x5.map(mean), 120, 0.95)
    close(result.estimate, 0.6)
    close(result.effectiveN, 38.9038595114133)
    close(result.lower, 0.430806759045546)
    close(result.upper, 0.753374466055663)
  })

  it('falls back to the number of tasks when all succeed, never to no width', () => {
    const result = clusteredProportion(Array(12).fill(1), 36, 0.95)
    expect([result.estimate, result.effectiveN, result.upper]).toEqual([1, 12, 1])
    close(result.lower, 0.735351530602949)
  })

  it('lies in [0, 1], holds its estimate and keeps a width', () => {
    const cells = fc.array(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 6 }), {
      minLength: 2,
      maxLength: 40,
    })
    fc.assert(
      fc.property(cells, (tasks) => {
        const { estimate, lower, upper } = clusteredProportion(tasks.map(mean), tasks.flat().length, 0.95)
        expect(lower).toBeGreaterThanOrEqual(0)
        expect(upper).toBeLessThanOrEqual(1)
        expect(lower as number).toBeLessThanOrEqual(estimate as number)
        expect(upper as number).toBeGreaterThanOrEqual(estimate as number)
        expect(upper as number).toBeGreaterThan(lower as number)
      }),
    )
  })
})

describe('cost per success', () => {
  const costs = [
    [0.0764, 0.0212, 0.0269],
    [0.0245, 0.0152, 0.0309],
    [0.0328, 0.0541, 0.0361],
    [0.0494, 0.0405, 0.0382],
    [0.0375, 0.0791, 0.0469],
    [0.0217, 0.041, 0.0267],
    [0.134, 0.0244, 0.033],
    [0.0423, 0.0184, 0.0693],
    [0.0226, 0.015, 0.0272],
    [0.0233, 0.0411, 0.021],
    [0.1201, 0.0197, 0.0154],
    [0.0187, 0.019, 0.046],
    [0.023, 0.0243, 0.05],
    [0.0642, 0.0412, 0.0222],
    [0.0518, 0.0276, 0.0456],
    [0.0701, 0.0143, 0.0292],
    [0.0493, 0.0656, 0.0217],
    [0.031, 0.0588, 0.0546],
  ]
  const successes = '101 001 111 110 001 001 111 001 000 110 011 110 010 111 001 111 111 111'
    .split(' ')
    .map((task) => [...task].map(Number))

  it('agrees with survey::svyratio, failed trials counted', () => {
    const tasks = costs.map((task, index) => ({ cost: mean(task), success: mean(successes[index] ?? []) }))
    const result = costPerSuccess(tasks, 0.95)
    expect(result.kind).toBe('bounded')
    close(result.estimate, 0.0633558823529412)
    close(result.lower, 0.050812548718698)
    close(result.upper, 0.0789956010854985)
  })

  it('has a lower limit and no estimate without a success', () => {
    const tasks = costs.slice(0, 8).map((task) => ({ cost: mean(task), success: 0 }))
    const result = costPerSuccess(tasks, 0.95)
    expect(result).toMatchObject({ kind: 'zero-successes', estimate: null, upper: null })
    close(result.lower, 0.11510264525167)
  })

  it('has no interval for one task, for equal tasks and where nothing was spent', () => {
    for (const tasks of [
      [{ cost: 3, success: 0.5 }],
      [
        { cost: 0.1, success: 1 },
        { cost: 0.1, success: 1 },
      ],
      [
        { cost: 0, success: 1 },
        { cost: 0, success: 0 },
      ],
    ]) {
      expect(costPerSuccess(tasks, 0.95)).toMatchObject({ kind: 'not-estimable', lower: null, upper: null })
    }
    expect(costPerSuccess([{ cost: 3, success: 0.5 }], 0.95).estimate).toBe(6)
    expect(costPerSuccess([], 0.95).estimate).toBeNull()
  })
})
