import { evidenceOf } from '../../analysis/evidence.ts'
import { boundName } from '../../analysis/method-row.ts'
import type { MethodSummary, Saving, Summary } from '../../analysis/summary.ts'
import type { RunPrices } from '../../schema/agent/prices.ts'
import { rowAgents } from '../words/agents-text.ts'
import { amountOf, costPerSuccessText } from '../words/bill-text.ts'
import {
  counted,
  formatAmount,
  formatCount,
  formatInterval,
  formatMs,
  formatShare,
  formatSigned,
  formatUsd,
  nothing,
  present,
  ratioText,
  unknown,
} from '../words/numbers.ts'
import { confidenceName } from '../words/result-text.ts'
import { dataColumns, tailColumns } from './method-data-columns.ts'
import {
  dollarFormat,
  dollarLimits,
  paperEstimate,
  paperNumber,
  paperWords,
  percent,
} from './paper-columns.ts'
import { type ColumnOf, faultsColumn, inText, labelColumn, simulatedColumn, textColumn } from './table.ts'
import { methodName } from './task-columns.ts'

type MethodColumn = ColumnOf<MethodSummary>

/**
 * Returns the columns of the table of methods: those for people and papers, then the raw ones for programs. `settled`: a stop
 * rule ended the run as planned, so trials that were not run are not missing.
 */
export function methodColumns(
  summary: Summary,
  prices: RunPrices | null,
  { settled = false }: { settled?: boolean } = {},
): MethodColumn[] {
  const { methods } = summary
  const several = new Set(methods.map(rowAgents)).size > 1
  // Sets with the same agents are wordings.
  const wordings = !several && new Set(methods.map(({ set }) => set)).size > 1
  return [
    labelColumn('method', 'method', ({ method }) => method, [
      paperWords('method', 'Method', (row) => methodName(row, summary), 'name'),
    ]),
    {
      ...labelColumn('agents', wordings ? 'wording' : 'agents', agentsText),
      audience: several || wordings ? 'all' : 'data',
    },
    simulatedColumn(summary),
    faultsColumn(summary.faults),
    ...successColumns(summary),
    ...spendingColumns(summary),
    ...effortColumns(summary, settled),
    ...dataColumns(summary, prices),
  ]
}

function agentsText(row: MethodSummary): string {
  const bound = boundName(row.agents)
  return `${row.set ?? rowAgents(row)}${bound ? ` (${bound})` : ''}`
}

const onScreen = (column: MethodColumn): MethodColumn => ({ ...column, isOnScreen: true })

const isCompared = ({ methods }: Summary) => methods.some((row) => row.againstBaseline !== null)

/** Whether some method has a score that is not its success. */
export const hasPartialScores = ({ methods }: Summary): boolean =>
  methods.some((row) => row.score !== null && row.score !== row.success.estimate)

function successColumns(summary: Summary): MethodColumn[] {
  const level = confidenceName(summary)
  const passed = ({ trials }: MethodSummary) => `${trials.passed}/${trials.graded}`
  return [
    textColumn('passed_of_graded', ['passed', ''], 'success', passed, [
      paperNumber('passed', ['Passed', 'of graded'], passed),
    ]),
    onScreen(
      textColumn(
        'success_interval_text',
        ['success', `% [${level}]`],
        'success',
        ({ success }) => formatInterval(success),
        paperEstimate('success', ['Success', '%', `${level} limits`], ({ success }) => success),
      ),
    ),
    inText(
      hasPartialScores(summary),
      textColumn(
        'score_text',
        ['score', '%'],
        'success',
        ({ score }) => (score === null ? unknown : formatShare(score)),
        [paperNumber('score', ['Score', '%'], ({ score }) => percent(score))],
      ),
    ),
    inText(
      isCompared(summary),
      onScreen(
        textColumn('success_difference_text', ['difference', 'points'], 'spending', differenceText, [
          paperNumber('success_difference', ['Diff.', 'points'], differenceText),
        ]),
      ),
    ),
  ]
}

function spendingColumns(summary: Summary): MethodColumn[] {
  const { methods, simulated } = summary
  const level = confidenceName(summary)
  const cached = !simulated && methods.some(({ tokens }) => tokens.cached.value !== 0)
  const compared = isCompared(summary)
  const tokens = (row: MethodSummary) => formatAmount(row.tokens.total, formatCount)
  const priced = (
    [key, heading, unit]: readonly [string, string, string],
    group: string,
    of: (row: MethodSummary) => MethodSummary['cost']['total'],
    [name, ...headings]: readonly [string, string, string],
  ) => {
    const format = dollarFormat(methods.map((row) => of(row).value))
    return textColumn<MethodSummary>(key, [heading, unit], group, (row) => formatAmount(of(row), formatUsd), [
      paperNumber(name, headings, (row) => formatAmount(of(row), format)),
    ])
  }
  return present([
    textColumn('tokens_text', ['tokens', '/trial'], 'spending', tokens, [
      paperNumber('tokens', ['Tokens', 'per trial'], tokens),
    ]),
    cached &&
      textColumn('tokens_cached_text', ['cached', '/trial'], 'spending', (row: MethodSummary) =>
        formatAmount(row.tokens.cached, formatCount),
      ),
    compared &&
      textColumn('tokens_ratio_text', ['tokens', 'x baseline'], 'spending', (row: MethodSummary) =>
        timesText(row, row.againstBaseline?.tokens),
      ),
    priced(['cost_text', 'cost', '/trial'], 'spending', ({ cost }) => cost.perTrial, [
      'cost',
      'USD per',
      'trial',
    ]),
    // Simulated calls are not cached, so their cost is their list price.
    inText(
      !simulated,
      priced(['list_cost_text', 'list price', '/trial'], 'spending', ({ listCost }) => listCost.perTrial, [
        'list_cost',
        'List price',
        'per trial',
      ]),
    ),
    compared &&
      onScreen(
        textColumn('cost_ratio_text', ['cost', 'x baseline'], 'spending', (row) =>
          timesText(row, row.againstBaseline?.cost),
        ),
      ),
    onScreen(
      textColumn(
        'cost_per_success_text',
        ['cost per success', `USD [${level}]`],
        'price',
        ({ costPerSuccess }) => costPerSuccessText(costPerSuccess),
        successPrices(summary),
      ),
    ),
    priced(['cost_total_text', 'bill', 'total'], 'price', ({ cost }) => cost.total, [
      'cost_total',
      'Bill',
      'USD',
    ]),
  ])
}

function successPrices(summary: Summary) {
  const { methods } = summary
  const format = dollarFormat(methods.flatMap(({ costPerSuccess: { estimate, lower } }) => [estimate, lower]))
  const price = ({ costPerSuccess }: MethodSummary) =>
    costPerSuccess.kind === 'zero-successes'
      ? `none in ${counted(costPerSuccess.trials, 'trial')}`
      : formatAmount(amountOf(costPerSuccess), format)
  const limits = ({ costPerSuccess }: MethodSummary) => dollarLimits(costPerSuccess, format)
  return [
    paperNumber('cost_per_success', ['USD per', 'success'], price),
    paperNumber('cost_per_success', [`${confidenceName(summary)} limits`, ''], limits, true),
  ]
}

function effortColumns(summary: Summary, settled: boolean): MethodColumn[] {
  const { methods } = summary
  const time = ({ clockMs }: MethodSummary) => (clockMs === null ? unknown : formatMs(clockMs))
  const count = (
    key: 'iterations' | 'calls' | 'checks',
    [unit, paperUnit]: readonly [string, string],
    heading: string,
  ) => {
    const text = ({ [key]: value }: MethodSummary) => (value === null ? unknown : formatCount(value))
    return textColumn(`${key}_text`, [key, unit], 'effort', text, [
      paperNumber(key, [heading, paperUnit], text),
    ])
  }
  const timeUnit = evidenceOf(summary).time
  const isKnown = (key: 'iterations' | 'calls' | 'checks') => methods.some((row) => row[key] !== null)
  const missing = (row: MethodSummary) => formatCount(missingOf(row, settled))
  return [
    ...(isKnown('iterations') ? [count('iterations', ['median', 'median'], 'Iterations')] : []),
    ...(timeUnit === null
      ? []
      : [
          textColumn('clock_text', ['time', timeUnit], 'effort', time, [
            paperNumber('time', ['Time', timeUnit], time),
          ]),
        ]),
    ...tailColumns(summary),
    ...(isKnown('calls') ? [count('calls', ['/trial', 'per trial'], 'Calls')] : []),
    ...(isKnown('checks') ? [count('checks', ['/trial', 'per trial'], 'Checks')] : []),
    inText(
      methods.some((row) => missingOf(row, settled) > 0),
      textColumn('missing', ['missing', 'trials'], 'effort', missing, [
        paperNumber('missing', ['Missing', 'trials'], (row) => formatCount(missingOf(row, false))),
      ]),
    ),
  ]
}

/** Returns the number of missing trials: infrastructure failed, cancelled, or not run, unless a stop rule ended the run. */
function missingOf({ trials }: MethodSummary, settled: boolean): number {
  return trials.error + trials.cancelled + (settled ? 0 : (trials.notRun ?? 0))
}

function differenceText({ isBaseline, againstBaseline }: MethodSummary): string {
  if (!againstBaseline) return isBaseline ? 'baseline' : nothing
  const { points } = againstBaseline.success
  return points === null ? unknown : formatSigned(points)
}

function timesText({ againstBaseline }: MethodSummary, saving: Saving | undefined): string {
  if (!againstBaseline || !saving) return nothing
  if (saving.percent !== null) return ratioText(1 - saving.percent / 100)
  return saving.zeroBaseline ? 'no ratio' : unknown
}
