import { type Kind, kinds } from '../analysis/evidence.ts'
import type { Amount } from '../analysis/summary.ts'
import type { Interval } from '../analysis/tasks/interval.ts'
import { groupBy } from '../base/grouping.ts'
import { csvLines, csvText } from '../reports/formats/csv.ts'
import { renderTextTables } from '../reports/formats/text.ts'
import {
  type ColumnOf,
  createTable,
  dataColumn,
  labelColumn,
  type Note,
  type Table,
  textColumn,
} from '../reports/tables/table.ts'
import { amountOf } from '../reports/words/bill-text.ts'
import { marksOf } from '../reports/words/evidence-text.ts'
import {
  formatAmount,
  formatCount,
  formatInterval,
  formatUsd,
  nothing,
  unknown,
} from '../reports/words/numbers.ts'
import { escapeForTerminal } from '../reports/words/safe-text.ts'
import { rowName } from '../schema/agent/agent-set.ts'
import { schemaVersion } from '../schema/ledger/record.ts'
import type { HistoryLine } from './estimates.ts'
import type { FoundHistory } from './find-history.ts'

type Labelled = Pick<HistoryLine, 'labels'>

/** The headings of label columns that differ from their names. */
const headings: Readonly<Record<string, string>> = {
  place: 'role or state',
  created_at: 'created',
  week: 'week of',
}

/** Labels that titles tell, or that stand in another column. */
const inTitle = ['kind', 'faults', 'agent_set']

/** Returns tables of lines, one for each kind of numbers and each set of injected faults: these stand beside no other. */
export function tablesByKind<Line extends Labelled>(
  title: string,
  lines: readonly Line[],
  columns: readonly ColumnOf<Line>[],
  notes: Note[],
  hrefOf?: (run: string) => string,
): Table[] {
  const groups = [...groupBy(lines, ({ labels }) => JSON.stringify([labels.kind, labels.faults])).values()]
  const place = ([first]: readonly Line[]) => kinds.indexOf(first?.labels.kind as Kind)
  return groups
    .sort((a, b) => place(b) - place(a))
    .map((own, i) => {
      const labels = own[0]?.labels ?? {}
      const shown = Object.keys(labels).filter((name) => !inTitle.includes(name) && name !== 'note')
      const noted = own.some((line) => line.labels.note) ? [labelOf<Line>('note', hrefOf)] : []
      // A line of one run counts no runs.
      const counted = columns.filter(({ key }) => key !== 'runs' || !shown.includes('run'))
      const kindColumns = (['kind', 'faults'] as const).map((name) =>
        dataColumn<Line>(name, '', (line) => line.labels[name] ?? null),
      )
      const titled = `${title}${marksOf({ ...kindFacts(labels.kind), faults: labels.faults ?? null })}`
      const last = i === groups.length - 1
      return createTable(
        titled,
        [...kindColumns, ...shown.map((name) => labelOf<Line>(name, hrefOf)), ...counted, ...noted],
        own,
        last ? notes : [],
      )
    })
}

/** Returns what the words on evidence need of a kind. */
export const kindFacts = (kind: string | null | undefined) => ({
  simulated: kind === 'simulated',
  recorded: kind === 'recorded',
  imported: kind === 'imported',
})

function labelOf<Line extends Labelled>(name: string, hrefOf?: (run: string) => string): ColumnOf<Line> {
  const textOf = ({ labels }: Line) => {
    const text = labels[name] ?? ''
    if (name === 'method') return rowName(text, labels.agent_set || null)
    return name === 'created_at' ? text.slice(0, 16).replace('T', ' ') : text || nothing
  }
  return {
    ...labelColumn(name, headings[name] ?? name, textOf),
    cell: (line) => {
      const href = name === 'run' && hrefOf ? hrefOf(line.labels.run ?? '') : undefined
      return { text: textOf(line), value: line.labels[name] ?? null, href }
    },
  }
}

/** Returns the columns for the estimates of lines. */
export const lineColumns: readonly ColumnOf<HistoryLine>[] = [
  textColumn('success_text', ['success', '% [95%]'], 'success', ({ summary }) =>
    formatInterval(summary.success),
  ),
  ...intervalData('success', '', ({ summary }: HistoryLine) => summary.success),
  textColumn('cost_text', ['cost', 'USD a trial [95%]'], 'cost', ({ summary, costPerTrial }) =>
    costText(summary.cost.perTrial, costPerTrial),
  ),
  ...intervalData('cost_per_trial', 'USD', ({ costPerTrial, summary }: HistoryLine) => ({
    ...costPerTrial,
    estimate: summary.cost.perTrial.value,
  })),
  textColumn('total_text', ['in all', 'USD'], 'cost', ({ summary }) =>
    formatAmount(summary.cost.total, formatUsd),
  ),
  dataColumn('cost_total', 'USD', ({ summary }) => summary.cost.total.value),
  dataColumn('cost_is_lower_bound', '', ({ summary }) => summary.cost.total.lowerBound),
  textColumn('price_text', ['per success', 'USD'], 'cost', ({ summary }) =>
    formatAmount(amountOf(summary.costPerSuccess), formatUsd),
  ),
  ...intervalData('cost_per_success', 'USD', ({ summary }: HistoryLine) => summary.costPerSuccess),
  textColumn('tokens_text', ['tokens', 'a trial'], 'tokens', ({ summary }) =>
    formatAmount(summary.tokens.total, (value) => formatCount(Math.round(value))),
  ),
  dataColumn('tokens_per_trial', '', ({ summary }) => summary.tokens.total.value),
  countColumn('runs', ({ runs }) => runs.length),
  countColumn('tasks', ({ tasks }) => tasks),
  countColumn('trials', ({ summary }) => summary.trials.run),
  countColumn('missing', ({ summary: { trials } }) => trials.error + trials.cancelled),
]

/** Formats dollars with their limits, rounded outward, if there are any. */
export function costText(amount: Amount, { lower, upper }: Interval): string {
  const text = formatAmount(amount, formatUsd)
  if (lower === null || upper === null || text === unknown) return text
  return `${text} [${formatUsd(Math.max(0, lower), Math.floor)}, ${formatUsd(upper, Math.ceil)}]`
}

/** Returns a column of counts. */
export function countColumn<Line>(name: string, value: (line: Line) => number): ColumnOf<Line> {
  return {
    ...textColumn(name, [name, ''], 'count', (line: Line) => formatCount(value(line))),
    audience: 'all',
    cell: (line) => ({ text: formatCount(value(line)), value: value(line) }),
  }
}

/** Returns the columns for an estimate and its limits, for programs. */
export function intervalData<Line>(
  name: string,
  unit: string,
  of: (line: Line) => Interval,
): ColumnOf<Line>[] {
  return [
    dataColumn(name, unit, (line) => of(line).estimate),
    dataColumn(`${name}_lower`, unit, (line) => of(line).lower),
    dataColumn(`${name}_upper`, unit, (line) => of(line).upper),
  ]
}

/** What a query gives: tables for people, and its rows for programs. */
export interface Answer {
  tables: Table[]
  rows: Record<string, unknown>[]
}

/** How `bench history` prints an answer. */
export const formats = ['text', 'csv', 'json'] as const
/** One of these. */
export type Format = (typeof formats)[number]

interface RenderOptions {
  query: string
  format: Format
  found: FoundHistory
  /** Characters of a line of text. */
  width: number | undefined
}

/** Renders the answer to a query. JSON also names the runs that count, and those that are left out with the reason. */
export function renderAnswer(
  { tables, rows }: Answer,
  { query, format, found, width }: RenderOptions,
): string {
  const { folder, leftOut } = found
  if (format === 'json') {
    const runs = found.runs.map(({ run }) => run)
    const data = { schemaVersion, kind: 'history', folder, query, runs, leftOut, rows }
    return `${escapeForTerminal(JSON.stringify(data, null, 2))}\n`
  }
  if (format === 'csv') return csvText(tables.flatMap((table, i) => csvLines(table).slice(i === 0 ? 0 : 1)))
  if (tables.length === 0) return `nothing in ${folder} answers this query\n`
  const notes = tables.flatMap((table) => table.notes)
  return renderTextTables(tables, notes, width)
}
