/** Columns that stand side by side: as many sums as an inner loop keeps in registers. */
export const blockWidth = 4

/** Columns (a number for each task) in tables of `blockWidth`, task after task, the last filled up with zeros. */
export function blocksOf(columns: readonly Float64Array[]): Float64Array[] {
  const tasks = columns[0]?.length ?? 0
  return Array.from({ length: Math.ceil(columns.length / blockWidth) }, (_, at) => {
    const table = new Float64Array(tasks * blockWidth)
    for (let column = 0; column < blockWidth; column++) {
      const values = columns[at * blockWidth + column]
      for (let task = 0; values && task < tasks; task++)
        table[task * blockWidth + column] = values[task] as number
    }
    return table
  })
}

/** Sums of a table's columns over the first `count` of the listed tasks, which are given as places in the table. */
export function addRows(places: Int32Array, count: number, table: Float64Array, sums: Float64Array): void {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let i = 0; i < count; i++) {
    const place = places[i] as number
    a += table[place] as number
    b += table[place + 1] as number
    c += table[place + 2] as number
    d += table[place + 3] as number
  }
  sums[0] = a
  sums[1] = b
  sums[2] = c
  sums[3] = d
}
