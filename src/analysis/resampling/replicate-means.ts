import type { Random } from '../../base/random.ts'

/**
 * Draws `count` samples of tasks with replacement and returns their means for each column (one number per task). All columns
 * share the draws, so replicates of two columns may be subtracted or divided, and a further column changes nothing.
 */
export function replicateMeans(
  columns: readonly Float64Array[],
  count: number,
  random: Random,
): Float64Array[] {
  const tasks = columns[0]?.length ?? 0
  const replicates = columns.map(() => new Float64Array(count))
  const sample = new Int32Array(tasks)
  for (let replicate = 0; replicate < count; replicate++) {
    for (let draw = 0; draw < tasks; draw++) sample[draw] = Math.floor(random() * tasks)
    for (const [at, means] of replicates.entries())
      means[replicate] = sumOver(columns[at] as Float64Array, sample) / tasks
  }
  return replicates
}

/** Returns the sum of a column over the listed tasks; a task counts as often as it is listed. */
export function sumOver(column: Float64Array, tasks: Int32Array): number {
  let sum = 0
  for (let i = 0; i < tasks.length; i++) sum += column[tasks[i] as number] as number
  return sum
}
