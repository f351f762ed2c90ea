import { positiveSums, shareBetween } from './positive-sums.ts'

/** Most steps of the convolution, about 20 ms. */
const mostSteps = 1e7
/** Denominators to try: success rates of up to ten epochs are multiples of 1 / 2,520; then decimals. */
const parts = [...Array.from({ length: 2520 }, (_, index) => index + 1), 1e4, 1e5, 1e6]

/** Returns non-zero values as whole numbers of one unit; null if there is no such unit, or if the convolution is too long. */
export function integersOf(values: readonly number[]): number[] | null {
  const scale = parts.find((part) => values.every((value) => isWhole(value * part)))
  if (scale === undefined) return null
  const integers = values.map((value) => Math.round(value * scale))
  const total = integers.reduce((sum, value) => sum + Math.abs(value), 0)
  return total * values.length <= mostSteps ? integers : null
}

/** Returns the share of all sign patterns whose sum is at least as far from 0 as the observed one. */
export function flipShareOfIntegers(values: readonly number[]): number {
  const sizes = values.map(Math.abs)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const observed = Math.abs(values.reduce((sum, value) => sum + value, 0))
  if (observed === 0) return 1
  // The sum of a pattern is twice the sum of its positive values, minus the total.
  return Math.min(1, 2 * shareBetween(positiveSums(sizes), (total + observed) / 2, total))
}

function isWhole(value: number): boolean {
  const whole = Math.round(value)
  return whole !== 0 && Math.abs(value - whole) <= 1e-9 * Math.abs(whole)
}
