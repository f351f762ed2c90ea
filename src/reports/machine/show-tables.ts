import type { CallSums } from '../../analysis/machine/calls.ts'
import { type ContextHealth, contextHealth } from '../../analysis/machine/context-health.ts'
import type { MachineView, ShownVisit } from '../../analysis/machine/machine-view.ts'
import { labelColumn, textColumn } from '../comparison/column.ts'
import { type ColumnOf, createTable, type Table } from '../tables/table.ts'
import { formatAmount, formatCount, formatMs, formatUsd, nothing, unknown } from '../words/numbers.ts'
import { agentText, decisionText } from './machine-lines.ts'
import { levelText, percentText, windowText } from './words.ts'

const left = <Row>(column: ColumnOf<Row>): ColumnOf<Row> => ({ ...column, align: 'left' })

/** Creates the table of a trial's transitions. */
export function transitionTable(title: string, { visits }: MachineView): Table {
  const columns: ColumnOf<ShownVisit>[] = [
    labelColumn('state', 'state', ({ state }) => state),
    textColumn('visit', ['visit', ''], 'visit', ({ visit }) => String(visit)),
    textColumn('at', ['at', ''], 'visit', ({ at }) => formatMs(at)),
    textColumn('ms', ['took', ''], 'visit', ({ ms }) => formatMs(ms)),
    left(textColumn('result', ['result', ''], 'taken', ({ result }) => result ?? nothing)),
    left(textColumn('next', ['next', ''], 'taken', nextText)),
    left(
      textColumn(
        'agents',
        ['agents', ''],
        'agents',
        ({ agents }) => agents.map(agentText).join(', ') || nothing,
      ),
    ),
  ]
  return createTable(title, columns, visits, [])
}

const nextText = ({ next, redirect }: ShownVisit) =>
  `${next ?? nothing}${redirect === null ? '' : `, but by decision ${redirect}`}`

/** Creates the tables of the rules that broke in a trial, and of what the orchestrator decided. */
export function breakTables(title: string, { breaks, decisions }: MachineView): Table[] {
  const rules: ColumnOf<MachineView['breaks'][number]>[] = [
    labelColumn('rule', 'rule', ({ rule, hard }) => (hard ? `${rule} (hard limit)` : rule)),
    textColumn('at', ['at', ''], 'break', ({ at }) => (at === null ? unknown : formatMs(at))),
    left(textColumn('way', ['from, to', ''], 'break', ({ from, to }) => `${from}, ${to}`)),
    left(textColumn('fact', ['fact', ''], 'break', ({ fact }) => fact)),
  ]
  const ruled = createTable(
    breaks.length === 0 ? `${title}: no rule broke` : `${title}: rules that broke`,
    rules,
    breaks,
    [],
  )
  if (decisions.length === 0) return [ruled]
  const columns: ColumnOf<MachineView['decisions'][number]>[] = [
    labelColumn('at', 'at', ({ at }) => formatMs(at)),
    left(textColumn('decision', ['decision', ''], 'decision', decisionText)),
  ]
  return [ruled, createTable(`${title}: decisions of the orchestrator`, columns, decisions, [])]
}

/** Tokens and cost of the calls of one group. */
export interface SpendingRow extends CallSums {
  name: string
}

/** Creates a table of tokens and cost. */
export function spendingTable(title: string, heading: string, rows: readonly SpendingRow[]): Table {
  const columns: ColumnOf<SpendingRow>[] = [
    labelColumn('name', heading, ({ name }) => name),
    textColumn('calls', ['calls', ''], 'spent', ({ calls }) => formatCount(calls)),
    textColumn('input', ['input', 'tokens'], 'spent', ({ input }) => formatAmount(input, formatCount)),
    textColumn('output', ['output', 'tokens'], 'spent', ({ output }) => formatAmount(output, formatCount)),
    textColumn('cost', ['cost', ''], 'spent', ({ costUsd }) => formatAmount(costUsd, formatUsd)),
  ]
  return createTable(title, columns, rows, [])
}

/** The context window of one session of a trial. */
export interface SessionWindow extends ContextHealth {
  name: string
  source: 'setting' | 'table' | null
}

/** Creates the table of context windows. */
export function windowTable(title: string, rows: readonly SessionWindow[]): Table {
  const columns: ColumnOf<SessionWindow>[] = [
    labelColumn('name', 'session', ({ name }) => name),
    textColumn('used', ['largest prompt', 'tokens'], 'window', ({ used }) =>
      used === null ? unknown : formatCount(used),
    ),
    textColumn('window', ['window', 'tokens'], 'window', ({ window, source }) => windowText(window, source)),
    textColumn('percent', ['used', '%'], 'window', percentText),
    left(textColumn('level', ['health', ''], 'window', levelText)),
    left(textColumn('advice', ['advice', ''], 'advice', ({ advice }) => advice)),
  ]
  return createTable(title, columns, rows, [])
}

/** Returns the window of a session. */
export const sessionWindow = (
  name: string,
  used: number | null,
  window: { tokens: number; source: 'setting' | 'table' } | undefined,
): SessionWindow => ({ name, source: window?.source ?? null, ...contextHealth(used, window?.tokens ?? null) })
