import { byTask, type FigureSeries, taskMean } from './by-task.ts'
import type { FigureTrial } from './figure-trials.ts'

/** How far the work keeps its contract after each audit, as the method's own judges say. */
export interface ComplianceCurve {
  label: string
  /** Mean over tasks after the n-th verdict, from 1, and the share of trials that got so many. */
  points: { verdict: number; compliance: number; share: number }[]
  /** Trials with a verdict, and without one. */
  judged: number
  unjudged: number
}

/** Verdicts that are shown at most. */
const mostVerdicts = 30

/**
 * Mean compliance by number of verdicts. A trial that needed fewer keeps its last one: to drop it would leave only the
 * hard ones on the right.
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
