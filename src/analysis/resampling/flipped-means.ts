import { type Random, seededRandom } from '../../base/random.ts'
import { sumOver } from './bootstrap.ts'

/**
 * Returns for each column (one number per task) its means under `count` random patterns of signs over tasks. All columns
 * share the patterns, so the mean of A - B is the mean of A minus the mean of B.
 */
export function flippedMeans(
  columns: readonly Float64Array[],
  count: number,
  random: Random,
): Float64Array[] {
  const tasks = columns[0]?.length ?? 0
  const totals = columns.map((column) => column.reduce((sum, value) => sum + value, 0))
  const replicates = columns.map(() => new Float64Array(count))
  const positive = new Int32Array(tasks)
  for (let replicate = 0; replicate < count; replicate++) {
    const drawn = drawPositive(positive, random)
    // The sum of a pattern is twice the sum of its positive values, minus the total.
    for (let at = 0; at < columns.length; at++) {
      const sum = 2 * sumOver(columns[at] as Float64Array, positive, drawn) - (totals[at] as number)
      ;(replicates[at] as Float64Array)[replicate] = sum / tasks
    }
  }
  return replicates
}

/** Returns the p-value of random patterns. The observed pattern counts, too, so p is never 0. */
export function flipPValue(flipped: Float64Array, observed: number, tolerance: number): number {
  const reach = Math.abs(observed) - tolerance
  let hits = 0
  for (const value of flipped) if (Math.abs(value) >= reach) hits++
  return (1 + hits) / (1 + flipped.length)
}

/** Lists the tasks with a positive sign, and returns their number: one bit per task, 32 bits per random number. */
function drawPositive(list: Int32Array, random: Random): number {
  let count = 0
  for (let task = 0, bits = 0; task < list.length; task++, bits >>>= 1) {
    if (task % 32 === 0) bits = Math.floor(random() * 2 ** 32)
    // Written over by the next one unless its sign is positive.
    list[count] = task
    count += bits & 1
  }
  return count
}

/** Number of random permutations; p = (1 + hits) / (1 + permutations). */
const permutationCount = 9_999

/**
 * Makes the two-sided permutation test of a difference between two groups of tasks by Welch's statistic: values are dealt to the
 * groups at random. It is exact if the values do not depend on the group, and right in large groups whose variances differ
 * (Janssen 1997; Chung and Romano 2013).
 */
export function permutedGroupsP(lower: readonly number[], higher: readonly number[], seed: string): number {
  const random = seededRandom(seed)
  // Sorted, so that the order of the tasks does not change the draws.
  const values = Float64Array.from([...lower, ...higher]).sort()
  const observed = statistic(Float64Array.from([...lower, ...higher]), lower.length)
  let hits = 0
  for (let round = 0; round < permutationCount; round++) {
    dealFirst(values, lower.length, random)
    if (statistic(values, lower.length) >= observed * (1 - 1e-9)) hits++
  }
  return (1 + hits) / (1 + permutationCount)
}

function dealFirst(values: Float64Array, count: number, random: () => number): void {
  for (let i = 0; i < count; i++) {
    const j = i + Math.floor(random() * (values.length - i))
    const held = values[i] as number
    values[i] = values[j] as number
    values[j] = held
  }
}

function statistic(values: Float64Array, count: number): number {
  const [first, second] = [momentsOf(values, 0, count), momentsOf(values, count, values.length)]
  const difference = Math.abs(first.mean - second.mean)
  const error = Math.sqrt(first.error + second.error)
  if (error > 1e-12) return difference / error
  return difference > 1e-12 ? Number.POSITIVE_INFINITY : 0
}

function momentsOf(values: Float64Array, from: number, to: number): { mean: number; error: number } {
  const count = to - from
  let sum = 0
  for (let i = from; i < to; i++) sum += values[i] as number
  const mean = sum / count
  let squares = 0
  for (let i = from; i < to; i++) squares += ((values[i] as number) - mean) ** 2
  return { mean, error: squares / (count - 1) / count }
}
