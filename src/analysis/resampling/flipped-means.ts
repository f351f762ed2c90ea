import type { Random } from '../../base/random.ts'
import { sumOver } from './replicate-means.ts'

/**
 * For each column (a number for each task, all equally long) its mean under `count` random patterns of signs over
 * tasks. All columns see the same patterns, so that the mean of A - B is that of A less that of B.
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
    // A pattern's sum is twice that of its positive ones, less the total.
    for (const [at, means] of replicates.entries())
      means[replicate] = (2 * sumOver(columns[at] as Float64Array, positive) - (totals[at] as number)) / tasks
  }
  return replicates
}

/** p-value of random patterns, the observed one counted in, so that it is never 0. */
export function flipPValue(flipped: Float64Array, observed: number, tolerance: number): number {
  const reach = Math.abs(observed) - tolerance
  let hits = 0
  for (const value of flipped) if (Math.abs(value) >= reach) hits++
  return (1 + hits) / (1 + flipped.length)
}

/** The tasks whose sign is positive: each by a bit, 32 from one number. */
function drawPositive(tasks: number, random: Random): Int32Array {
  const positive: number[] = []
  for (let task = 0, bits = 0; task < tasks; task++, bits >>>= 1) {
    if (task % 32 === 0) bits = Math.floor(random() * 2 ** 32)
    if (bits & 1) positive.push(task)
  }
  return Int32Array.from(positive)
}
