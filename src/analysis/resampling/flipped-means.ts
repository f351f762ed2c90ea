import type { Random } from '../../base/random.ts'
import { sumOver } from './replicate-means.ts'

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
  for (let replicate = 0; replicate < count; replicate++) {
    const positive = drawPositive(tasks, random)
    // The sum of a pattern is twice the sum of its positive values, minus the total.
    for (const [at, means] of replicates.entries())
      means[replicate] = (2 * sumOver(columns[at] as Float64Array, positive) - (totals[at] as number)) / tasks
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

/** Draws the tasks with a positive sign: one bit per task, 32 bits per random number. */
function drawPositive(tasks: number, random: Random): Int32Array {
  const positive: number[] = []
  for (let task = 0, bits = 0; task < tasks; task++, bits >>>= 1) {
    if (task % 32 === 0) bits = Math.floor(random() * 2 ** 32)
    if (bits & 1) positive.push(task)
  }
  return Int32Array.from(positive)
}
