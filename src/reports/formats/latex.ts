import type {
  Comparison,
  Interaction,
  MethodEstimates,
  PairComparison,
} from '../../analysis/compare/comparison.ts'
import { verdictText } from '../../analysis/compare/pairs/verdict.ts'
import type { Refusal } from '../../analysis/refusal.ts'
import type { MethodSummary } from '../../analysis/summary.ts'
import type { Interval } from '../../analysis/tasks/interval.ts'
import type { ComparisonReport } from '../comparison/comparison-report.ts'
import { agentsName } from '../comparison/interaction-columns.ts'
import {
  adjustmentName,
  confoundedWith,
  detectableText,
  isConfounded,
  marginText,
  pairName,
} from '../comparison/pair-columns.ts'
import { decimalsFor, formatP, formatRefusal } from '../comparison/result-text.ts'
import type { RenderOptions, Report } from '../report.ts'
import { confidenceName } from '../tables/method-columns.ts'
import type { Note, Table } from '../tables/table.ts'
import { methodName } from '../tables/task-columns.ts'
import { formatAmount, formatShare, formatUsd, nothing, unknown } from '../words/numbers.ts'
import { amountOf } from '../words/success-price.ts'
import { type LatexColumn, latexTabular } from './latex-table.ts'
import { latexName } from './latex-text.ts'

/**
 * Renders tables for `\input` in a paper: booktabs lines, numbers aligned by siunitx, captions, and the notes that a reader
 * needs, with the command that makes them again last.
 */
export function renderLatex(report: Report, { part = 'whole' }: RenderOptions = {}): string {
  const { comparison, methods, run, sections } = report
  const measured = sections.flatMap(({ name: part, tables }) =>
    tables.map((table, i) => plainTable(table, `${nameOf(run)}-${part}-${i + 1}`)),
  )
  const name = nameOf(run)
  const alone = part === 'comparison' && comparison
  if (part === 'sections')
    return `${[packages, ...measured, notesText(sections.flatMap(({ notes }) => notes))].join('\n\n')}\n`
  if (part === 'interactions' && comparison?.interactions)
    return `${[packages, ...interactionTable(comparison, name), notesText(comparison.interactions.notes)].join('\n\n')}\n`
  return `${[
    packages,
    ...(alone ? [] : [methodTable(report, name)]),
    ...(comparison
      ? [
          pairTable(comparison, name),
          ...interactionTable(comparison, name),
          spendingTable(comparison, name),
          plainTable(comparison.spread, `${name}-spread`),
          ...(comparison.suites ? [plainTable(comparison.suites, `${name}-suites`)] : []),
        ]
      : []),
    ...measured,
    notesText([
      ...(alone ? [] : methods.notes.slice(0, -1)),
      ...(comparison?.notes ?? methods.notes.slice(-1)),
      ...sections.flatMap(({ notes }) => notes),
    ]),
  ].join('\n\n')}\n`
}

const packages = '% Needs \\usepackage[utf8]{inputenc} and \\usepackage{adjustbox,array,booktabs,siunitx}.'

const nameOf = (run: string) => run.replace(/[^A-Za-z0-9]+/g, '-')

/** Renders a table with its columns for people. */
function plainTable({ title, columns, rows }: Table, name: string): string {
  const shown: LatexColumn<Table['rows'][number]>[] = columns
    .filter(({ audience }) => audience !== 'data')
    .map(({ key, heading, unit, align }) => ({
      ...{ heading, unit },
      kind: align === 'left' ? 'name' : 'words',
      cell: (row) => row[key]?.text ?? '',
    }))
  return float(title, name, latexTabular(shown, rows))
}

function methodTable({ summary, methods }: Report, name: string): string {
  const level = confidenceName(summary)
  const columns: LatexColumn<MethodSummary>[] = [
    { heading: 'method', unit: '', kind: 'name', cell: (row) => methodName(row, summary) },
    { ...number('success', '%'), cell: ({ success }) => percent(success.estimate) },
    { ...words(level, 'limits'), cell: ({ success }) => limits(success, 100, 1) },
    {
      ...number('tokens', 'per trial'),
      cell: ({ tokens }) => formatAmount(tokens.total, (value) => value.toFixed(0)),
    },
    { ...number('cost', 'USD per trial'), cell: ({ cost }) => formatAmount(cost.perTrial, usd) },
    ...(summary.simulated
      ? []
      : [
          {
            ...number('list price', 'USD per trial'),
            cell: ({ listCost }: MethodSummary) => formatAmount(listCost.perTrial, usd),
          },
        ]),
    {
      ...number('cost per success', 'USD'),
      cell: ({ costPerSuccess }) => formatAmount(amountOf(costPerSuccess), usd),
    },
    { ...words(level, 'limits'), cell: ({ costPerSuccess }) => usdLimits(costPerSuccess) },
  ]
  return float(methods.title, `${name}-methods`, latexTabular(columns, summary.methods))
}

function pairTable({ comparison, pairs }: ComparisonReport, name: string): string {
  const tested = comparison.pairs.some(({ verdict }) => verdict !== null)
  const columns: LatexColumn<PairComparison>[] = [
    { heading: 'A - B', unit: '', kind: 'name', cell: pairName },
    { ...number('tasks', 'paired'), cell: ({ outcome }) => String(outcome.nTasks) },
    {
      ...number(comparison.outcome, 'points'),
      cell: ({ outcome }) => percent(outcome.estimate, unknown, decimalsOf(outcome)),
    },
    {
      ...words(confidenceName(comparison), 'limits'),
      cell: ({ outcome }) =>
        limits(outcome, 100, decimalsOf(outcome), outcome.nTasks === 1 ? 'one-task' : null),
    },
    ...(tested
      ? ([
          {
            ...number('p', adjustmentName(comparison)),
            cell: ({ adjustedP, outcome }) =>
              adjustedP === null ? formatRefusal(outcome.refusal) : formatP(adjustedP),
          },
          {
            ...words('says', ''),
            cell: ({ verdict }) => (verdict ? verdictText(verdict, marginText(comparison.margin)) : nothing),
          },
          {
            ...number('detectable', 'points'),
            cell: detectableText,
          },
        ] satisfies LatexColumn<PairComparison>[])
      : []),
    ...(comparison.pairs.some(isConfounded) ? [{ ...words('confounded', ''), cell: confoundedWith }] : []),
  ]
  return float(pairs.title, `${name}-pairs`, latexTabular(columns, comparison.pairs))
}

function interactionTable({ comparison, interactions }: ComparisonReport, name: string): string[] {
  if (!interactions) return []
  const columns: LatexColumn<Interaction>[] = [
    { heading: 'A - B', unit: '', kind: 'name', cell: pairName },
    { heading: 'agents', unit: '', kind: 'name', cell: agentsName },
    { ...number('tasks', 'paired'), cell: ({ nTasks }) => String(nTasks) },
    { ...number('difference', 'of differences, points'), cell: ({ estimate }) => percent(estimate) },
    { ...words(confidenceName(comparison), 'limits'), cell: (row) => limits(row, 100, 1) },
  ]
  return [float(interactions.title, `${name}-interactions`, latexTabular(columns, comparison.interactions))]
}

function spendingTable({ comparison, spending }: ComparisonReport, name: string): string {
  const level = confidenceName(comparison)
  const saved = (spent: 'tokens' | 'costUsd', heading: string): LatexColumn<PairComparison>[] => [
    {
      ...number(heading, '% saved'),
      cell: (pair) =>
        pair.spent[spent].saved.saved?.toFixed(1) ?? formatRefusal(pair.spent[spent].ratio.refusal),
    },
    {
      ...words(level, 'limits'),
      cell: (pair) => limits(pair.spent[spent].saved, 1, 1, pair.spent[spent].ratio.refusal),
    },
  ]
  const columns: LatexColumn<PairComparison>[] = [
    { heading: 'A - B', unit: '', kind: 'name', cell: pairName },
    ...saved('tokens', 'tokens'),
    ...saved('costUsd', 'cost'),
    {
      ...number('success', 'A - B, points'),
      cell: (pair) => percent(pair.spent.tokens.success.estimate),
    },
    { ...words(level, 'limits'), cell: (pair) => limits(pair.spent.tokens.success, 100, 1) },
  ]
  return float(
    `${spending.title}; frontier: ${frontierText(comparison)}`,
    `${name}-savings`,
    latexTabular(columns, comparison.pairs),
  )
}

function frontierText({ frontiers, methods }: Comparison): string {
  const texts = methods.map(({ label }: MethodEstimates) => {
    const at = (spent: 'tokens' | 'costUsd') =>
      frontiers[spent].points.find((point) => point.label === label)?.membership ?? null
    const share = (value: number | null) => (value === null ? 'not placed' : `${formatShare(value)}%`)
    return `${label} ${share(at('tokens'))} by tokens, ${share(at('costUsd'))} by cost`
  })
  return `${texts.join('; ')} of resamples`
}

function float(caption: string, label: string, tabular: string): string {
  return [
    '\\begin{table}[htbp]',
    '\\centering',
    `\\caption{\\protect\\raggedright ${latexName(caption)}}`,
    `\\label{tab:${label}}`,
    '\\small',
    tabular,
    '\\end{table}',
  ].join('\n')
}

function notesText(notes: readonly Note[]): string {
  const one = ({ text, commands = [] }: Note) =>
    [latexName(text), ...commands.map((command) => `\\texttt{${latexName(command)}}`)].join(' ')
  return ['\\begin{flushleft}', '\\footnotesize', notes.map(one).join('\\par\n'), '\\end{flushleft}'].join(
    '\n',
  )
}

const number = (heading: string, unit: string) => ({ heading, unit, kind: 'number' as const })
const words = (heading: string, unit: string) => ({ heading, unit, kind: 'words' as const })

function percent(share: number | null, otherwise = unknown, decimals = 1): string {
  return share === null ? otherwise : (100 * share).toFixed(decimals).replace(/^-(0\.0+)$/, '$1')
}

const decimalsOf = ({ se }: { se: number | null }) => decimalsFor(se === null ? null : 100 * se)

/** Formats dollars with the digits of the other formats, without sign and commas, for a column aligned at the point. */
const usd = (value: number, round?: (value: number) => number) => formatUsd(value, round).replace(/[$,]/g, '')

function usdLimits({ lower, upper }: Pick<Interval, 'lower' | 'upper'>): string {
  if (lower === null && upper === null) return nothing
  const side = (value: number | null, round: (value: number) => number) =>
    value === null ? 'no limit' : usd(value, round)
  return `[${side(lower, Math.floor)}, ${side(upper, Math.ceil)}]`
}

function limits(
  { lower, upper }: Pick<Interval, 'lower' | 'upper'>,
  scale: number,
  decimals: number,
  refusal: Refusal | null = null,
): string {
  if (lower === null && upper === null) return refusal ? formatRefusal(refusal) : nothing
  const factor = 10 ** decimals
  const side = (value: number | null, round: (value: number) => number, slack: number) =>
    value === null ? 'no limit' : (round(scale * value * factor + slack) / factor).toFixed(decimals)
  return `[${side(lower, Math.floor, 1e-9)}, ${side(upper, Math.ceil, -1e-9)}]`
}
