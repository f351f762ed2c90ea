import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import type { Amount, MethodSummary } from '../../analysis/summary.ts'
import type { Interval } from '../../analysis/tasks/interval.ts'
import type { Report } from '../report.ts'

/** What a reader sees first: one row per method and three sentences. Plain data for the terminal, the page and CI. */
export interface FirstScreen {
  /** `4 methods on 60 tasks, 5 epochs each; live; 1,200 trials, none missing`. */
  title: string
  rows: ScreenRow[]
  sentences: ScreenSentence[]
  /** What a reader must know before believing the rows; one sentence each. */
  warnings: string[]
}

/** One of the three sentences: who is better, at what price, how sure. */
export interface ScreenSentence {
  label: 'Who' | 'Price' | 'Sure'
  text: string
}

/** One method with one set of agents. */
export interface ScreenRow {
  method: string
  /** The agents, if rows differ in them; else null. */
  agents: string | null
  isBaseline: boolean
  /** Share of passed trials, mean over tasks. */
  success: Interval
  /** Success minus the baseline's, as a share, with the adjusted p; null for the baseline and without a pair. */
  difference: (Interval & { p: number | null }) | null
  /** The verdict against the baseline in one or two words; empty for the baseline. */
  says: string
  /** US dollars per trial, at list prices. */
  cost: Amount
  /** Cost relative to the baseline's: 2.2 means 2.2 times as much; null where unknown, and for the baseline. */
  costRatio: number | null
  costPerSuccess: MethodSummary['costPerSuccess']
}

/** Returns the rows of the first screen, best success first. */
export function screenRows({ summary, comparison }: Report): ScreenRow[] {
  return summary.methods
    .map((row) => screenRow(row, comparison?.comparison ?? null))
    .sort((a, b) => (b.success.estimate ?? -1) - (a.success.estimate ?? -1))
}

function screenRow(row: MethodSummary, comparison: Comparison | null): ScreenRow {
  const pair = comparison === null ? undefined : pairOf(comparison, row)
  const percent = row.againstBaseline?.cost.percent ?? null
  return {
    method: row.method,
    agents: row.set,
    isBaseline: row.isBaseline,
    success: row.success,
    difference: pair ? { ...turned(pair, row), p: pair.adjustedP } : null,
    says: pair?.verdict?.word ?? '',
    cost: row.listCost.perTrial,
    costRatio: row.isBaseline || percent === null ? null : 1 - percent / 100,
    costPerSuccess: row.costPerSuccess,
  }
}

const labelOf = ({ method, set }: MethodSummary) => (set === null ? method : `${method} [${set}]`)

/** Returns the pair of a row and the baseline with the same agents. */
function pairOf({ pairs, methods }: Comparison, row: MethodSummary): PairComparison | undefined {
  const sides = methods.filter(({ set }) => set === row.set)
  const own = sides.find(({ method }) => method === row.method)?.label ?? labelOf(row)
  return pairs.find(({ a, b }) => [a, b].includes(own))
}

/** Returns the difference of a pair as this row minus the other. */
function turned({ a, outcome }: PairComparison, row: MethodSummary): Interval {
  if (a === row.method) return outcome
  const { estimate, lower, upper } = outcome
  const minus = (value: number | null) => (value === null ? null : -value)
  return { estimate: minus(estimate), lower: minus(upper), upper: minus(lower) }
}
