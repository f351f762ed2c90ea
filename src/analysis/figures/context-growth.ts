import { byTask, type FigureSeries, taskMean } from './by-task.ts'

/** How what agents are given to read grows with each ask of a trial. */
export interface ContextGrowth {
  label: string
  /** Input tokens of the n-th call of a trial, from 1: mean over the tasks that came so far. */
  points: { ask: number; tokens: number; tasks: number }[]
}

/** A point that hangs on fewer of the tasks than this share is left out, and those after it: their mean is of others. */
const leastShare = 0.5

/** Mean input of each call by its number in the trial. A method whose tokens nobody told has no point. */
export function contextGrowth({ label, trials }: FigureSeries): ContextGrowth {
  const tasks = byTask(trials)
  const longest = trials.reduce((most, { asks }) => Math.max(most, asks.length), 0)
  const points: ContextGrowth['points'] = []
  for (let ask = 1; ask <= longest; ask++) {
    const { mean, tasks: reached } = taskMean(tasks, (trial) => trial.asks[ask - 1]?.input ?? null)
    if (reached < leastShare * tasks.length) break
    if (mean !== null) points.push({ ask, tokens: mean, tasks: reached })
  }
  return { label, points }
}
