import { seededRandom } from '../../base/random.ts'
import { mean, roundOffNoise } from '../numeric/moments.ts'
import type { Refusal } from '../refusal.ts'
import { flipPValue, flippedMeans } from '../resampling/flipped-means.ts'
import { positiveSums, shareBetween } from './wilcoxon-signed-rank.ts'

/** Sign-flip test: are the differences symmetric around 0? */
export interface SignFlipTest {
  /** Mean difference. */
  statistic: number | null
  p: number | null
  /** Number of random flips; null if the p-value is exact. */
  flips: number | null
  refusal: Refusal | null
}

/** Number of random flips if the exact p-value is not feasible; p = (1 + hits) / (1 + flips). */
export const randomFlipCount = 9_999

/**
 * Makes the two-sided sign-flip (paired permutation) test of the mean of task differences: p is the share of all sign
 * patterns whose mean is at least as far from 0 (R: exactRankTests::perm.test). It is exact if the differences are whole
 * multiples of one unit, as success rates are, or if at most 30 are not 0; else it draws `randomFlipCount` patterns.
 */
export function signFlipTest(values: readonly number[], seed = 'sign flip'): SignFlipTest {
  const exact = exactSignFlipTest(values)
  if (exact) return exact
  const clean = roundOffNoise(values)
  const [flipped] = flippedMeans([Float64Array.from(clean)], randomFlipCount, seededRandom(seed))
  const statistic = mean(clean) as number
  const tolerance = 1e-9 * (mean(clean.map(Math.abs)) as number)
  const p = flipPValue(flipped as Float64Array, statistic, tolerance)
  return { statistic, p, flips: randomFlipCount, refusal: null }
}

/** Makes the exact test; null if the exact p is not feasible. */
export function exactSignFlipTest(values: readonly number[]): SignFlipTest | null {
  const statistic = mean(values)
  if (statistic === null) return { statistic, p: null, flips: null, refusal: 'no-task' }
  const moved = roundOffNoise(values).filter((value) => value !== 0)
  if (moved.length === 0) return { statistic: 0, p: 1, flips: null, refusal: null }
  const integers = integersOf(moved)
  if (integers) return { statistic, p: flipShareOfIntegers(integers), flips: null, refusal: null }
  if (moved.length > mostHalved) return null
  return { statistic, p: flipShareOfHalves(moved), flips: null, refusal: null }
}

/** Most steps of the convolution, about 20 ms. */
const mostSteps = 1e7
/** Denominators to try: success rates of up to ten epochs are multiples of 1 / 2,520; then decimals. */
const parts = [...Array.from({ length: 2520 }, (_, index) => index + 1), 1e4, 1e5, 1e6]

/** Returns non-zero values as whole numbers of one unit; null if there is no such unit, or if the convolution is too long. */
function integersOf(values: readonly number[]): number[] | null {
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

/** All sign patterns are counted up to this number of values: two halves of 2^15 sums each. */
const mostHalved = 30

/**
 * Returns the share of all sign patterns whose sum is at least as far from 0 as the observed one; sums within 1e-9 of it
 * count as equal. It lists and sorts the sums of both halves, and counts pairs of them (Horowitz and Sahni 1974).
 */
export function flipShareOfHalves(values: readonly number[]): number {
  const scale = values.reduce((sum, value) => sum + Math.abs(value), 0)
  const observed = Math.abs(values.reduce((sum, value) => sum + value, 0))
  const reach = observed - 1e-9 * scale
  if (reach <= 0) return 1
  const half = values.length >> 1
  const left = patternSums(values.slice(0, half))
  const right = patternSums(values.slice(half))
  let hits = 0
  let from = right.length
  // With a larger left sum, more of the right sums reach far enough.
  for (const sum of left) {
    while (from > 0 && sum + (right[from - 1] as number) >= reach) from--
    hits += right.length - from
  }
  return Math.min(1, (2 * hits) / 2 ** values.length)
}

function patternSums(values: readonly number[]): Float64Array {
  let sums = Float64Array.of(0)
  for (const value of values) {
    const wider = new Float64Array(2 * sums.length)
    wider.set(sums.map((sum) => sum + value))
    wider.set(
      sums.map((sum) => sum - value),
      sums.length,
    )
    sums = wider
  }
  return sums.sort()
}
