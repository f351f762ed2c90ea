import { meanOf } from '../numeric/moments.ts'
import type { FigureTrial } from './figure-trials.ts'

/** The trials of one method with one set of agents. */
export interface FigureSeries {
  label: string
  trials: FigureTrial[]
}

/** Groups trials by task, in the order of first appearance. */
export function byTask(trials: readonly FigureTrial[]): FigureTrial[][] {
  const tasks = new Map<string, FigureTrial[]>()
  for (const trial of trials) {
    const known = tasks.get(trial.task)
    if (known) known.push(trial)
    else tasks.set(trial.task, [trial])
  }
  return [...tasks.values()]
}

/** Computes the mean over tasks of the mean over each task's trials. Null values, and tasks without others, are left out. */
export function taskMean(
  tasks: readonly (readonly FigureTrial[])[],
  value: (trial: FigureTrial) => number | null,
): { mean: number | null; tasks: number } {
  const means = tasks.flatMap((trials) => {
    const values = trials.map(value).filter((one) => one !== null)
    return values.length === 0 ? [] : [meanOf(values)]
  })
  return { mean: means.length === 0 ? null : meanOf(means), tasks: means.length }
}
