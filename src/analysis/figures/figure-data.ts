import type { Comparison } from '../compare/comparison.ts'
import { type ComparisonData, dropBounds, labelRows } from '../compare/rows.ts'
import type { Summary } from '../summary.ts'
import { successRate } from '../tasks/success-rate.ts'
import { successValue } from '../tasks/task-value.ts'
import {
  byTask,
  type FigureSeries,
  type FigureTrial,
  type RoleTokens,
  roleTokens,
  taskMean,
} from './figure-trials.ts'
import { type PairDifferences, type RankDiagram, rankDiagram, taskDifferences } from './task-ranks.ts'

/** Data of all figures of a run; methods have the same order and labels in each. */
export interface FigureData {
  /** The version of bench and the digest of the records, for a reader who has only the figure. */
  source: string
  summary: Summary
  /** Null: there is nothing to compare. */
  comparison: Comparison | null
  /** Labels of the methods, in order. */
  labels: string[]
  budget: BudgetCurve[]
  roles: RoleTokens[]
  context: ContextGrowth[]
  compliance: ComplianceCurve[]
  differences: PairDifferences[]
  /** Null: there is nothing to compare. */
  ranks: RankDiagram | null
}

/** Computes the data of the figures. `methods` are labels in the order of the rows. */
export function createFigureData(
  trials: readonly FigureTrial[],
  comparisonData: ComparisonData,
  {
    summary,
    comparison,
    methods,
    source,
  }: { summary: Summary; comparison: Comparison | null; methods: readonly string[]; source: string },
): FigureData {
  const rows = labelRows(dropBounds(comparisonData.rows()), methods)
  const series = rows.map(({ label, method, agents }): FigureSeries => {
    const own = trials.filter((trial) => trial.method === method && trial.agents === agents)
    return { label, trials: own }
  })
  return {
    source,
    summary,
    comparison,
    labels: rows.map(({ label }) => label),
    budget: series.map((one) => budgetCurve(one, summary.confidence)),
    roles: roleTokens(series),
    context: series.map(contextGrowth),
    compliance: series.map(complianceCurve),
    differences: comparison ? taskDifferences(comparison, rows) : [],
    ranks: comparison && rankDiagram(comparison, rows),
  }
}

interface ContextGrowth {
  label: string
  /** Input tokens of the n-th call of a trial, from 1: mean over the tasks that made at least n calls. */
  points: { ask: number; tokens: number; tasks: number }[]
}

/** Points with fewer than this share of the tasks are left out: their mean is over other tasks. */
const leastShare = 0.5

/** Computes the mean input of each call by its number in the trial. A method without reported tokens has no points. */
function contextGrowth({ label, trials }: FigureSeries): ContextGrowth {
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

/** Compliance with the contract after each verdict, as the method's own judges report it. */
interface ComplianceCurve {
  label: string
  /** Mean over tasks after the n-th verdict, from 1, and the share of trials with that many verdicts. */
  points: { verdict: number; compliance: number; share: number }[]
  /** Trials with a verdict, and without one. */
  judged: number
  unjudged: number
}

const mostVerdicts = 30

/**
 * Computes the mean compliance by number of verdicts. A trial with fewer verdicts keeps its last one; otherwise only hard
 * trials would remain on the right.
 */
function complianceCurve({ label, trials }: FigureSeries): ComplianceCurve {
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

/** Success as a function of the tokens that a trial may spend. */
interface BudgetCurve {
  label: string
  /** For each budget the share of trials that passed with at most that many tokens: mean over tasks, with its interval. */
  points: { budget: number; share: number; lower: number | null; upper: number | null }[]
  /** Most tokens that a trial spent; after the last point no further trial passed. */
  most: number
  tasks: number
  /** Graded trials with unreported tokens; they are left out. */
  unknown: number
}

const mostPoints = 150

/**
 * Computes the empirical distribution of the tokens of a success; failed trials never succeed, so the right end is the
 * success rate. A trial cut off earlier counts as failed, because its later result is unknown.
 */
function budgetCurve({ label, trials }: FigureSeries, confidence: number): BudgetCurve {
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

function thinPoints(budgets: readonly number[]): number[] {
  if (budgets.length <= mostPoints) return [...budgets]
  const step = (budgets.length - 1) / (mostPoints - 1)
  return Array.from({ length: mostPoints }, (_, point) => budgets[Math.round(point * step)] as number)
}
