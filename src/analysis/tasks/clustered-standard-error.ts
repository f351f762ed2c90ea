import type { Refusal } from '../refusal.ts'
import { countTrials, type TaskValue } from './task-value.ts'

/** A mean over trials and its standard errors. */
export interface ClusteredMean {
  mean: number | null
  se: number | null
  seNaive: number | null
  nClusters: number
  refusal: Refusal | null
}

/**
 * Computes the mean over trials (equal weights) with its standard error clustered by task: CR1 with the factor C / (C - 1)
 * (Miller 2024; R: sandwich::vcovCL(type = 'HC1')). `seNaive` treats the trials as independent, for comparison.
 */
export function clusteredStandardError(tasks: readonly TaskValue[]): ClusteredMean {
  const clusters = tasks.flatMap(({ mean, trials, squares }) =>
    mean === null ? [] : [{ mean, trials, squares }],
  )
  const nClusters = clusters.length
  const trials = countTrials(tasks)
  const none = { mean: null, se: null, seNaive: null, nClusters }
  if (nClusters === 0) return { ...none, refusal: 'no-task' }
  const sum = (of: (task: (typeof clusters)[number]) => number) =>
    clusters.reduce((total, task) => total + of(task), 0)
  const centre = sum((task) => task.trials * task.mean) / trials
  const spread = sum((task) => task.squares + task.trials * (task.mean - centre) ** 2)
  const seNaive = trials < 2 ? null : Math.sqrt(spread / (trials - 1) / trials)
  if (nClusters === 1) return { ...none, mean: centre, seNaive, refusal: 'one-task' }
  const residuals = sum((task) => (task.trials * (task.mean - centre)) ** 2)
  const se = Math.sqrt((residuals * nClusters) / (nClusters - 1)) / trials
  return { mean: centre, se, seNaive, nClusters, refusal: null }
}
