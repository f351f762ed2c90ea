import { byTask, type FigureSeries, taskMean } from './by-task.ts'

/** Growth of the input of agents with each call of a trial. */
export interface ContextGrowth {
  label: string
  /** Input tokens of the n-th call of a trial, from 1: mean over the tasks that made at least n calls. */
  points: { ask: number; tokens: number; tasks: number }[]
}

/** Points with fewer than this share of the tasks are left out: their mean is over other tasks. */
const leastShare = 0.5

/** Computes the mean input of each call by its number in the trial. A method without reported tokens has no points. */
export function contextGrowth({ label, trials }: FigureSeries): ContextGrowth {
  const tasks = byTask(trials)
  const longest = trials.reduce((most, { asks }) => Math.max(most, asks.length), 0)
  const points: ContextGrowth['points'] = []
  for (let ask = 1; ask <= longest; ask++) {
    const { mean, tasks: reached } = taskMean(tasks, (trial) => trial.asks[ask - 1]?.context ?? null)
    if (reached < leastShare * tasks.length) break
    if (mean !== null) points.push({ ask, tokens: mean, tasks: reached })
  }
  return { label, points }
}
