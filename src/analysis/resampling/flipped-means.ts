import type { Random } from '../../random.ts'
import { addRows, blocksOf, blockWidth } from './block-sums.ts'
import { keep } from './replicate-means.ts'

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
  const tables = blocksOf(columns)
  const totals = columns.map((column) => column.reduce((sum, value) => sum + value, 0))
  const replicates = columns.map(() => new Float64Array(count))
  const places = new Int32Array(tasks + 1)
  const sums = new Float64Array(blockWidth)
  for (let replicate = 0; replicate < count; replicate++) {
    const positive = drawPositive(places, tasks, random)
    for (const [at, table] of tables.entries()) {
      addRows(places, positive, table, sums)
      // A pattern's sum is twice that of its positive ones, less the total.
      for (let column = 0; column < blockWidth; column++)
        sums[column] = 2 * (sums[column] as number) - (totals[at * blockWidth + column] ?? 0)
      keep(replicates, at, replicate, sums, tasks)
    }
  }
  return replicates
}

/** p-value of random patterns, the observed one counted in, so that it is never 0. */
export function flipP(flipped: Float64Array, observed: number, tolerance: number): number {
  const reach = Math.abs(observed) - tolerance
  let hits = 0
  for (const value of flipped) if (Math.abs(value) >= reach) hits++
  return (1 + hits) / (1 + flipped.length)
}

// Every task is written down and counted only if its bit is set: no branch to be guessed wrongly.
function drawPositive(places: Int32Array, tasks: number, random: Random): number {
  let count = 0
  for (let task = 0; task < tasks; ) {
    let bits = random() * 2 ** 32
    const until = Math.min(tasks, task + 32)
    for (bits >>>= 0; task < until; task++, bits >>>= 1) {
      places[count] = task * blockWidth
      count += bits & 1
    }
  }
  return count
}
