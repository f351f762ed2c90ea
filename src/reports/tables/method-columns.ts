import { boundName } from '../../analysis/row.ts'
import type { MethodSummary, Saving, Summary } from '../../analysis/summary.ts'
import type { RunPrices } from '../../schema/agent/prices.ts'
import { rowAgents } from '../words/agents-text.ts'
import { costPerSuccessText } from '../words/bill-text.ts'
import {
  formatAmount,
  formatCount,
  formatInterval,
  formatMs,
  formatShare,
  formatSigned,
  formatUsd,
  nothing,
  ratioText,
  unknown,
} from '../words/numbers.ts'
import { dataColumns } from './method-data-columns.ts'
import type { Cell, ColumnOf } from './table.ts'

type MethodColumn = ColumnOf<MethodSummary>

/**
 * Returns the columns of the table of methods: those for people, then the raw ones for programs. `settled`: a stop rule ended
 * the run as planned, so trials that were not run are not missing.
 */
export function methodColumns(
  summary: Summary,
  prices: RunPrices | null,
  { settled = false }: { settled?: boolean } = {},
): MethodColumn[] {
  const percent = `% [${confidenceName(summary)}]`
  const several = new Set(summary.methods.map(rowAgents)).size > 1
  const partial = summary.methods.some((row) => row.score !== null && row.score !== row.success.estimate)
  const incomplete = summary.methods.some((row) => missingOf(row, settled) > 0)
  const cached = !summary.simulated && summary.methods.some(({ tokens }) => tokens.cached.value !== 0)
  const compared = summary.methods.some((row) => row.againstBaseline !== null)
  const priced = ({ value, lowerBound }: { value: number | null; lowerBound: boolean }) =>
    formatAmount({ value, lowerBound }, formatUsd)

  return [
    {
      ...textColumn('method', 'method', '', 'label'),
      align: 'left',
      audience: 'all',
      cell: (row) => textCell(row.method),
    },
    {
      ...textColumn('agents', 'agents', '', 'label'),
      align: 'left',
      audience: several ? 'all' : 'data',
      cell: (row) => {
        const bound = boundName(row.agents)
        return textCell(`${row.set ?? rowAgents(row)}${bound ? ` (${bound})` : ''}`)
      },
    },
    {
      ...textColumn('simulated', 'simulated', '', 'label'),
      align: 'left',
      audience: 'data',
      cell: () => ({ text: summary.simulated ? 'simulated' : 'live', value: summary.simulated }),
    },
    {
      ...textColumn('faults', 'faults', '', 'label'),
      align: 'left',
      audience: summary.faults === null ? 'data' : 'all',
      cell: () => ({ text: summary.faults === null ? 'none' : 'injected', value: summary.faults }),
    },
    {
      ...textColumn('passed_of_graded', 'passed', '', 'success'),
      cell: ({ trials }) => textCell(`${trials.passed}/${trials.graded}`),
    },
    {
      ...textColumn('success_interval_text', 'success', percent, 'success'),
      isOnScreen: true,
      cell: (row) => textCell(formatInterval(row.success)),
    },
    ...columnIf(partial, {
      ...textColumn('score_text', 'score', '%', 'success'),
      cell: (row) => textCell(row.score === null ? unknown : formatShare(row.score)),
    }),
    ...columnIf(compared, {
      ...textColumn('success_difference_text', 'difference', 'points', 'spending'),
      isOnScreen: true,
      cell: (row) => textCell(differenceText(row)),
    }),
    {
      ...textColumn('tokens_text', 'tokens', '/trial', 'spending'),
      cell: (row) => textCell(formatAmount(row.tokens.total, formatCount)),
    },
    ...columnIf(cached, {
      ...textColumn('tokens_cached_text', 'cached', '/trial', 'spending'),
      cell: (row) => textCell(formatAmount(row.tokens.cached, formatCount)),
    }),
    ...columnIf(compared, {
      ...textColumn('tokens_ratio_text', 'tokens', 'x baseline', 'spending'),
      cell: (row) => textCell(timesText(row, row.againstBaseline?.tokens)),
    }),
    {
      ...textColumn('cost_text', 'cost', '/trial', 'spending'),
      cell: (row) => textCell(priced(row.cost.perTrial)),
    },
    // Simulated calls are not cached, so their cost is their list price.
    ...columnIf(!summary.simulated, {
      ...textColumn('list_cost_text', 'list price', '/trial', 'spending'),
      cell: (row) => textCell(priced(row.listCost.perTrial)),
    }),
    ...columnIf(compared, {
      ...textColumn('cost_ratio_text', 'cost', 'x baseline', 'spending'),
      isOnScreen: true,
      cell: (row) => textCell(timesText(row, row.againstBaseline?.cost)),
    }),
    {
      ...textColumn('cost_per_success_text', 'cost per success', `USD [${confidenceName(summary)}]`, 'price'),
      isOnScreen: true,
      cell: (row) => textCell(costPerSuccessText(row.costPerSuccess)),
    },
    {
      ...textColumn('cost_total_text', 'bill', 'total', 'price'),
      cell: (row) => textCell(priced(row.cost.total)),
    },
    {
      ...textColumn('iterations_text', 'iterations', 'median', 'effort'),
      cell: (row) => textCell(numberText(row.iterations)),
    },
    {
      ...textColumn('clock_text', 'time', summary.simulated ? 'simulated' : 'median', 'effort'),
      cell: (row) => textCell(row.clockMs === null ? unknown : formatMs(row.clockMs)),
    },
    {
      ...textColumn('calls_text', 'calls', '/trial', 'effort'),
      cell: (row) => textCell(numberText(row.calls)),
    },
    {
      ...textColumn('checks_text', 'checks', '/trial', 'effort'),
      cell: (row) => textCell(numberText(row.checks)),
    },
    ...columnIf(incomplete, {
      ...textColumn('missing', 'missing', 'trials', 'effort'),
      cell: (row) => textCell(formatCount(missingOf(row, settled))),
    }),
    ...dataColumns(summary, prices),
  ]
}

/** Returns the confidence level, such as `95%`. */
export function confidenceName({ confidence }: Pick<Summary, 'confidence'>): string {
  return `${Number((100 * confidence).toFixed(2))}%`
}

/** Returns the number of missing trials: infrastructure failed, cancelled, or not run, unless a stop rule ended the run. */
function missingOf({ trials }: MethodSummary, settled: boolean): number {
  return trials.error + trials.cancelled + (settled ? 0 : (trials.notRun ?? 0))
}

function textColumn(key: string, heading: string, unit: string, group: string) {
  return { key, heading, unit, align: 'right', audience: 'people', group } as const
}

function columnIf(condition: boolean, column: MethodColumn): MethodColumn[] {
  return condition ? [column] : []
}

function textCell(text: string): Cell {
  return { text, value: text }
}

function numberText(value: number | null): string {
  return value === null ? unknown : formatCount(value)
}

function differenceText({ isBaseline, againstBaseline }: MethodSummary): string {
  if (!againstBaseline) return isBaseline ? 'baseline' : nothing
  const { points } = againstBaseline.success
  return points === null ? unknown : formatSigned(points)
}

/** Returns the spending relative to the baseline's: `2.2x`. */
function timesText({ againstBaseline }: MethodSummary, saving: Saving | undefined): string {
  if (!againstBaseline || !saving) return nothing
  if (saving.percent !== null) return ratioText(1 - saving.percent / 100)
  return saving.zeroBaseline ? 'no ratio' : unknown
}
