import { expect, it } from 'vitest'
import { growthOf, nearLinear } from './growth.ts'

const loop = (steps: number) => {
  let sum = 0
  for (let i = 0; i < steps; i++) sum += Math.sqrt(i)
  return sum
}

it('work that grows with the square of its size is not near linear, and linear work is', () => {
  expect(growthOf(8_000, (size) => void loop(size * size))).toBeGreaterThan(nearLinear)
  expect(growthOf(8_000, (size) => void loop(size * 2_000))).toBeLessThan(nearLinear)
})
