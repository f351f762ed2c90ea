import type { LargestTask } from '../comparison.ts'

/** From this share of the total on, one task decides a mean. */
const large = 0.2

/** The largest of the values and its share of their sum, where that is more than 20%; null else. `tasks` names them. */
export function largestTask(tasks: readonly string[], values: readonly number[]): LargestTask | null {
  const total = values.reduce((sum, value) => sum + value, 0)
  const most = values.reduce((best, value, index) => (value > (values[best] as number) ? index : best), 0)
  const share = (values[most] ?? 0) / total
  return share > large && values.length > 1 ? { task: tasks[most] as string, share } : null
}
