import type { Comparison } from '../compare/comparison.ts'
import type { ComparisonData } from '../compare/rows/comparison-data.ts'
import { dropBounds, labelRows } from '../compare/rows/label-rows.ts'
import type { Summary } from '../summary.ts'
import { type BudgetCurve, budgetCurve } from './budget-curve.ts'
import type { FigureSeries } from './by-task.ts'
import { type ComplianceCurve, complianceCurve } from './compliance-curve.ts'
import { type ContextGrowth, contextGrowth } from './context-growth.ts'
import type { FigureTrial } from './figure-trials.ts'
import { type RankDiagram, rankDiagram } from './rank-diagram.ts'
import { type RoleTokens, roleTokens } from './role-tokens.ts'
import { type PairDifferences, taskDifferences } from './task-differences.ts'

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
