import type { Random } from '../../random.ts'
import { addRows, blocksOf, blockWidth } from './block-sums.ts'

/**
 * Bootstrap over tasks: for each column (a number for each task, all equally long) the means of `count` samples of
 * tasks, drawn with replacement. All columns see the same draws, so that their replicates may be subtracted and divided
 * pair by pair, and a further column changes nothing.
 */
export function replicateMeans(
  columns: readonly Float64Array[],
  count: number,
  random: Random,
): Float64Array[] {
  const tasks = columns[0]?.length ?? 0
  const tables = blocksOf(columns)
  const replicates = columns.map(() => new Float64Array(count))
  const places = new Int32Array(tasks)
  const sums = new Float64Array(blockWidth)
  for (let replicate = 0; replicate < count; replicate++) {
    for (let draw = 0; draw < tasks; draw++) places[draw] = Math.floor(random() * tasks) * blockWidth
    for (const [at, table] of tables.entries()) {
      addRows(places, tasks, table, sums)
      keep(replicates, at, replicate, sums, tasks)
    }
  }
  return replicates
}

/** Writes a block's sums, divided by the number of tasks, to its columns' replicates. */
export function keep(
  replicates: readonly Float64Array[],
  at: number,
  replicate: number,
  sums: Float64Array,
  tasks: number,
): void {
  for (let column = 0; column < blockWidth; column++) {
    const values = replicates[at * blockWidth + column]
    if (values) values[replicate] = (sums[column] as number) / tasks
  }
}
