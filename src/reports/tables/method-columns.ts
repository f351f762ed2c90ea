import { boundName } from '../../analysis/row.ts'
import type { MethodSummary, Saving, Summary } from '../../analysis/summary.ts'
import type { RunPrices } from '../../schema/agent/prices.ts'
import {
  formatAmount,
  formatCount,
  formatInterval,
  formatMs,
  formatShare,
  formatSigned,
  formatUsd,
  nothing,
  unknown,
} from '../words/numbers.ts'
import { pricesText } from '../words/prices-text.ts'
import { costPerSuccessText } from '../words/success-price.ts'
import type { Cell, ColumnOf } from './table.ts'

type MethodColumn = ColumnOf<MethodSummary>

/** Returns the columns of the table of methods: those for people, then the raw ones for programs. */
export function methodColumns(summary: Summary, prices: RunPrices | null): MethodColumn[] {
  const percent = `% [${confidenceName(summary)}]`
  const several = new Set(summary.methods.map((row) => row.agents)).size > 1
  const partial = summary.methods.some((row) => row.score !== null && row.score !== row.success.estimate)
  const incomplete = summary.methods.some((row) => missingOf(row) > 0)
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
        return textCell(`${row.set ?? row.agents}${bound ? ` (${bound})` : ''}`)
      },
    },
    {
      ...textColumn('simulated', 'simulated', '', 'label'),
      align: 'left',
      audience: summary.simulated ? 'all' : 'data',
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
      cell: (row) => textCell(formatInterval(row.success)),
    },
    ...columnIf(partial, {
      ...textColumn('score_text', 'score', '%', 'success'),
      cell: (row) => textCell(row.score === null ? unknown : formatShare(row.score)),
    }),
    ...columnIf(compared, {
      ...textColumn('success_difference_text', 'diff.', 'points', 'spending'),
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
      ...textColumn('tokens_saved_text', 'saved', '% tokens', 'spending'),
      cell: (row) => textCell(savingText(row, row.againstBaseline?.tokens)),
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
      ...textColumn('cost_saved_text', 'saved', '% cost', 'spending'),
      cell: (row) => textCell(savingText(row, row.againstBaseline?.cost)),
    }),
    {
      ...textColumn('cost_per_success_text', 'cost per success', `USD [${confidenceName(summary)}]`, 'price'),
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
      cell: (row) => textCell(formatCount(missingOf(row))),
    }),
    ...dataColumns(summary, prices),
  ]
}

/** Returns the confidence level, such as `95%`. */
export function confidenceName({ confidence }: Pick<Summary, 'confidence'>): string {
  return `${Number((100 * confidence).toFixed(2))}%`
}

/** Returns the number of missing trials: not run, infrastructure failed, or cancelled. */
function missingOf({ trials }: MethodSummary): number {
  return trials.error + trials.cancelled + (trials.notRun ?? 0)
}

function dataColumns(summary: Summary, prices: RunPrices | null): MethodColumn[] {
  const data = (key: string, unit: string, value: (row: MethodSummary) => Cell['value']): MethodColumn => ({
    ...{ key, heading: key, unit, align: 'right', audience: 'data', group: 'data' },
    cell: (row) => ({ text: String(value(row) ?? ''), value: value(row) }),
  })
  return [
    data('agents_by_role', '', (row) => row.agents),
    data('profile', '', () => summary.profiles.join(' ') || null),
    data('baseline', '', () => summary.baseline),
    data('tasks', '', (row) => row.tasks),
    data('epochs_min', 'trials per task', (row) => row.epochs.min),
    data('epochs_max', 'trials per task', (row) => row.epochs.max),
    data('planned', 'trials', (row) => row.trials.planned),
    data('run', 'trials', (row) => row.trials.run),
    data('not_run', 'trials', (row) => row.trials.notRun),
    data('completed', 'trials', (row) => row.outcomes.completed),
    data('limited', 'trials', (row) => row.outcomes.limited),
    data('failed', 'trials', (row) => row.outcomes.failed),
    data('deviates', 'trials', (row) => row.fidelity.deviates),
    data('undeclared', 'trials', (row) => row.fidelity.undeclared),
    data('done_delivered_nothing', 'trials', (row) => row.doneWithNothing.trials),
    data('workflow_iterations', 'per trial', (row) => row.workflow?.iterations ?? null),
    data('conversions_read', 'share', (row) => row.workflow?.conversions.rate ?? null),
    data('needs_met', 'share', (row) => row.workflow?.satisfaction ?? null),
    data('workflow_efficiency', 'share', (row) => row.workflow?.efficiency ?? null),
    data('error', 'trials', (row) => row.trials.error),
    data('cancelled', 'trials', (row) => row.trials.cancelled),
    data('ungraded', 'trials', (row) => row.trials.ungraded),
    data('graded', 'trials', (row) => row.trials.graded),
    data('passed', 'trials', (row) => row.trials.passed),
    data('success', 'share', (row) => row.success.estimate),
    data('success_lower', 'share', (row) => row.success.lower),
    data('success_upper', 'share', (row) => row.success.upper),
    data('success_interval', '', (row) => row.success.interval),
    data('success_tasks', '', (row) => row.success.tasks),
    data('confidence', 'share', () => summary.confidence),
    data('score', 'share', (row) => row.score),
    data('tokens', 'tokens per trial', (row) => row.tokens.total.value),
    data('tokens_input', 'tokens per trial', (row) => row.tokens.input.value),
    data('tokens_output', 'tokens per trial', (row) => row.tokens.output.value),
    data('tokens_cached', 'tokens per trial', (row) => row.tokens.cached.value),
    data('tokens_lower_bound', '', (row) => row.tokens.total.lowerBound),
    data('tokens_unreported', 'calls', (row) => row.unreported.tokenCalls),
    data('cost', 'USD per trial', (row) => row.cost.perTrial.value),
    data('cost_total', 'USD', (row) => row.cost.total.value),
    data('cost_lower_bound', '', (row) => row.cost.perTrial.lowerBound),
    data('cost_total_lower_bound', '', (row) => row.cost.total.lowerBound),
    data('cost_unreported', 'calls', (row) => row.unreported.costCalls),
    data('list_cost', 'USD per trial, uncached', (row) => row.listCost.perTrial.value),
    data('list_cost_total', 'USD, uncached', (row) => row.listCost.total.value),
    data('list_cost_lower_bound', '', (row) => row.listCost.perTrial.lowerBound),
    data('list_cost_total_lower_bound', '', (row) => row.listCost.total.lowerBound),
    data('list_cost_unknown', 'calls', (row) => row.unreported.listCalls),
    data('reported_cost', 'USD, by the agents themselves', (row) => row.reported?.costUsd ?? null),
    data('reported_cost_computed', 'USD, the same calls', (row) => row.reported?.computedUsd ?? null),
    data('reported_cost_calls', 'calls', (row) => row.reported?.calls ?? null),
    data('prices', '', () => prices && pricesText(prices)),
    data('grading_cost', 'USD', (row) => row.gradingCostUsd),
    data('cost_per_success', 'USD', (row) => row.costPerSuccess.estimate),
    data('cost_per_success_lower', 'USD', (row) => row.costPerSuccess.lower),
    data('cost_per_success_upper', 'USD', (row) => row.costPerSuccess.upper),
    data('cost_per_success_kind', '', (row) => row.costPerSuccess.kind),
    data('tokens_saved', 'percent', (row) => row.againstBaseline?.tokens.percent ?? null),
    data('tokens_saved_tasks', '', (row) => row.againstBaseline?.tokens.tasks ?? null),
    data('cost_saved', 'percent', (row) => row.againstBaseline?.cost.percent ?? null),
    data('cost_saved_tasks', '', (row) => row.againstBaseline?.cost.tasks ?? null),
    data('success_difference', 'points', (row) => row.againstBaseline?.success.points ?? null),
    data('success_difference_worst', 'points', (row) => row.againstBaseline?.success.bounds?.low ?? null),
    data('success_difference_best', 'points', (row) => row.againstBaseline?.success.bounds?.high ?? null),
    data('success_difference_tasks', '', (row) => row.againstBaseline?.success.tasks ?? null),
    data('iterations', 'median over tasks', (row) => row.iterations),
    data('clock', 'ms, median over tasks', (row) => row.clockMs),
    data('calls', 'calls per trial', (row) => row.calls),
    data('checks', 'checks per trial', (row) => row.checks),
  ]
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

function savingText({ againstBaseline }: MethodSummary, saving: Saving | undefined): string {
  if (!againstBaseline || !saving) return nothing
  if (saving.percent !== null) return saving.percent.toFixed(1).replace(/^-(0\.0)$/, '$1')
  return saving.zeroBaseline ? 'no ratio' : unknown
}
