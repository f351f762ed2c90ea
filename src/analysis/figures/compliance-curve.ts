import { byTask, type FigureSeries, taskMean } from './by-task.ts'
import type { FigureTrial } from './figure-trials.ts'

/** Compliance with the contract after each verdict, as the method's own judges report it. */
export interface ComplianceCurve {
  label: string
  /** Mean over tasks after the n-th verdict, from 1, and the share of trials with that many verdicts. */
  points: { verdict: number; compliance: number; share: number }[]
  /** Trials with a verdict, and without one. */
  judged: number
  unjudged: number
}

/** Most verdicts of a curve. */
const mostVerdicts = 30

/**
 * Computes the mean compliance by number of verdicts. A trial with fewer verdicts keeps its last one; otherwise only hard
 * trials would remain on the right.
 */
export function complianceCurve({ label, trials }: FigureSeries): ComplianceCurve {
  const verdicts = new Map<FigureTrial, number[]>(
    trials.map((trial) => [trial, trial.asks.map((ask) => ask.compliance).filter((one) => one !== null)]),
  )
  const judged = trials.filter((trial) => verdicts.get(trial)?.length)
  const tasks = byTask(judged)
  const counts = judged.map((trial) => verdicts.get(trial)?.length ?? 0)
  const longest = counts.reduce((most, count) => Math.max(most, count), 0)
  return {
    label,
    points: Array.from({ length: Math.min(longest, mostVerdicts) }, (_, index) => ({
      verdict: index + 1,
      compliance: taskMean(tasks, (trial) => {
        const own = verdicts.get(trial) ?? []
        return own[Math.min(index, own.length - 1)] ?? null
      }).mean as number,
      share: counts.filter((count) => count > index).length / judged.length,
    })),
    judged: judged.length,
    unjudged: trials.length - judged.length,
  }
}
