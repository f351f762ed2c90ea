/** A task that holds a large share of a total. */
export interface LargestTask {
  task: string
  share: number
}

/** Above this share of the total, one task dominates a mean. */
const large = 0.2

/** Returns the task with the largest value and its share of the sum if that is above 20%, else null. */
export function largestTask(tasks: readonly string[], values: readonly number[]): LargestTask | null {
  const total = values.reduce((sum, value) => sum + value, 0)
  const most = values.reduce((best, value, index) => (value > (values[best] as number) ? index : best), 0)
  const share = (values[most] ?? 0) / total
  return share > large && values.length > 1 ? { task: tasks[most] as string, share } : null
}
