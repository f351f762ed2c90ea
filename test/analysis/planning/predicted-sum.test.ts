import { expect, it } from 'vitest'
import { predictedSum } from '../../../src/analysis/planning/predicted-sum.ts'
import { seededRandom } from '../../../src/base/random.ts'

it('a predicted sum is the mean times the count, with the prediction interval of a normal sample', () => {
  // By hand: mean 3, s^2 = 2.5, t(0.975, 4) = 2.776445, sqrt(2.5 (10 + 100 / 5)) = 8.660254.
  const { middle, range } = predictedSum([1, 2, 3, 4, 5], 10)
  expect(middle).toBe(30)
  expect(range?.low).toBeCloseTo(30 - 2.776445 * 8.660254, 4)
  expect(range?.high).toBeCloseTo(30 + 2.776445 * 8.660254, 4)
})

it('a predicted sum has no range from a single value, and none below 0', () => {
  expect(predictedSum([4], 3)).toEqual({ middle: 12, range: null })
  expect(predictedSum([0, 10], 5).range?.low).toBe(0)
})

it('the range of a predicted sum contains the sum in about 95 of 100 cases', () => {
  const random = seededRandom('predicted sum')
  const draw = () => random() + random() + random() + random()
  let held = 0
  for (let i = 0; i < 2000; i++) {
    const seen = Array.from({ length: 8 }, draw)
    const sum = Array.from({ length: 20 }, draw).reduce((total, value) => total + value, 0)
    const { range } = predictedSum(seen, 20)
    if (range && sum >= range.low && sum <= range.high) held++
  }
  expect(held / 2000).toBeGreaterThan(0.93)
  expect(held / 2000).toBeLessThan(0.97)
})
