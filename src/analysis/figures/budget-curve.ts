import { successRate } from '../compare/method-estimates.ts'
import { successValue } from '../tasks/task-value.ts'
import { byTask, type FigureSeries } from './by-task.ts'

/** Success as a function of the tokens that a trial may spend. */
export interface BudgetCurve {
  label: string
  /** At each budget the share that passed for at most so many tokens: mean over tasks, with its interval. */
  points: { budget: number; share: number; lower: number | null; upper: number | null }[]
  /** The most tokens that a trial spent: from the last point to here nothing more passed. */
  most: number
  tasks: number
  /** Graded trials whose tokens were not all reported; they are left out. */
  unknown: number
}

/** Points of a curve at most; each needs an interval. */
const mostPoints = 150

/**
 * The empirical distribution of what a success takes, failures never succeeding: at the right end it is the success
 * rate. What a trial that is cut off before would have left is not known, so it counts as failed.
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

/** The first, the last, and evenly many of those between. */
function thinPoints(budgets: readonly number[]): number[] {
  if (budgets.length <= mostPoints) return [...budgets]
  const step = (budgets.length - 1) / (mostPoints - 1)
  return Array.from({ length: mostPoints }, (_, point) => budgets[Math.round(point * step)] as number)
}
