import { successRate } from '../compare/method-estimates.ts'
import { successValue } from '../tasks/task-value.ts'
import { byTask, type FigureSeries } from './by-task.ts'

/** Success as a function of the tokens that a trial may spend. */
export interface BudgetCurve {
  label: string
  /** For each budget the share of trials that passed with at most that many tokens: mean over tasks, with its interval. */
  points: { budget: number; share: number; lower: number | null; upper: number | null }[]
  /** Most tokens that a trial spent; after the last point no further trial passed. */
  most: number
  tasks: number
  /** Graded trials with unreported tokens; they are left out. */
  unknown: number
}

/** Most points of a curve. */
const mostPoints = 150

/**
 * Computes the empirical distribution of the tokens of a success; failed trials never succeed, so the right end is the
 * success rate. A trial cut off earlier counts as failed, because its later result is unknown.
 */
export function budgetCurve({ label, trials }: FigureSeries, confidence: number): BudgetCurve {
  const graded = trials.filter(({ passed }) => passed !== null)
  const known = graded.filter((trial): trial is typeof trial & { tokens: number } => trial.tokens !== null)
  const tasks = byTask(known).map((ofTask) => ({
    trials: ofTask.length,
    spent: ofTask.flatMap(({ passed, tokens }) => (passed && tokens !== null ? [tokens] : [])),
  }))
  const budgets = [...new Set(tasks.flatMap(({ spent }) => spent))].sort((a, b) => a - b)
  return {
    label,
    points: thinPoints(budgets).map((budget) => {
      const values = tasks.map(({ trials, spent }) =>
        successValue(spent.filter((tokens) => tokens <= budget).length, trials, 0),
      )
      const { estimate, lower, upper } = successRate(values, confidence)
      return { budget, share: estimate as number, lower, upper }
    }),
    most: known.reduce((most, { tokens }) => Math.max(most, tokens), 0),
    tasks: tasks.length,
    unknown: graded.length - known.length,
  }
}

/** Returns the first and last budget, and evenly spaced ones between. */
function thinPoints(budgets: readonly number[]): number[] {
  if (budgets.length <= mostPoints) return [...budgets]
  const step = (budgets.length - 1) / (mostPoints - 1)
  return Array.from({ length: mostPoints }, (_, point) => budgets[Math.round(point * step)] as number)
}
