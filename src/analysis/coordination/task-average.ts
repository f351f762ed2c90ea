import { mean } from 'simple-statistics'

/** Sums of a measure by task, so that tasks weigh the same whatever their number of trials. */
export interface Average {
  tasks: Map<string, { sum: number; trials: number }>
  add(task: string, value: number): void
}

/** Returns an average without values. */
export function emptyAverage(): Average {
  const tasks: Average['tasks'] = new Map()
  return {
    tasks,
    add(task, value) {
      const sums = tasks.get(task)
      if (sums) {
        sums.sum += value
        sums.trials++
      } else tasks.set(task, { sum: value, trials: 1 })
    },
  }
}

/** Returns the mean of the task means; null without trials. */
export function averageOf({ tasks }: Average): number | null {
  return tasks.size === 0 ? null : mean([...tasks.values()].map(({ sum, trials }) => sum / trials))
}

/**
 * Returns by how many percent one average is above another, over the tasks that both have, as a ratio of means (tasks that
 * cost almost nothing would dominate a mean of ratios). Null without such tasks, or if the other is 0.
 */
export function overheadPercent(ours: Average, theirs: Average): number | null {
  const pairs: [number, number][] = []
  for (const [task, mine] of ours.tasks) {
    const other = theirs.tasks.get(task)
    if (other) pairs.push([mine.sum / mine.trials, other.sum / other.trials])
  }
  const base = pairs.reduce((sum, [, value]) => sum + value, 0)
  return base === 0 ? null : 100 * (pairs.reduce((sum, [value]) => sum + value, 0) / base - 1)
}
