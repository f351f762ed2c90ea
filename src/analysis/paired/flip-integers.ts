import { positiveSums, shareBetween } from './positive-sums.ts'

/** Steps of the convolution that are worth their time: some 0.1 s. */
const mostSteps = 5e7
/** Success rates of up to ten epochs are multiples of 1 / 2,520. */
const finestUnit = 2520

/**
 * Values other than 0 as whole numbers of one unit, 1 to 1 / 2,520; null where there is no such unit, or their
 * distribution would cost too much.
 */
export function integersOf(values: readonly number[]): number[] | null {
  for (let scale = 1; scale <= finestUnit; scale++) {
    if (!values.every((value) => isWhole(value * scale))) continue
    const integers = values.map((value) => Math.round(value * scale))
    const total = integers.reduce((sum, value) => sum + Math.abs(value), 0)
    return total * values.length <= mostSteps ? integers : null
  }
  return null
}

/** Share of all sign patterns whose sum is at least as far from 0 as the observed one. */
export function flipShareOfIntegers(values: readonly number[]): number {
  const sizes = values.map(Math.abs)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const observed = Math.abs(values.reduce((sum, value) => sum + value, 0))
  if (observed === 0) return 1
  // A pattern's sum is twice that of its positive ones, less the total.
  return Math.min(1, 2 * shareBetween(positiveSums(sizes), (total + observed) / 2, total))
}

function isWhole(value: number): boolean {
  const whole = Math.round(value)
  return whole !== 0 && Math.abs(value - whole) <= 1e-9 * Math.abs(whole)
}
