import type { CallSums } from '../../analysis/machine/calls.ts'
import { type ContextHealth, contextHealth } from '../../analysis/machine/context-health.ts'
import type { MachineView, ShownVisit } from '../../analysis/machine/machine-view.ts'
import {
  type ColumnOf,
  createTable,
  labelColumn,
  type Note,
  type Table,
  textColumn,
} from '../tables/table.ts'
import { formatAmount, formatCount, formatMs, formatUsd, nothing, unknown } from '../words/numbers.ts'
import { agentText, decisionText, visitName } from './machine-lines.ts'
import { levelText, percentText, windowText } from './words.ts'

const left = <Row>(column: ColumnOf<Row>): ColumnOf<Row> => ({ ...column, align: 'left' })

/** Creates the table of a trial's transitions, with a note for each agent that failed and each decision that went elsewhere. */
export function transitionTable(title: string, { visits }: MachineView): Table {
  const columns: ColumnOf<ShownVisit>[] = [
    labelColumn('state', 'state', ({ state }) => state),
    textColumn('visit', ['visit', ''], 'visit', ({ visit }) => String(visit)),
    textColumn('at', ['at', ''], 'visit', ({ at }) => formatMs(at)),
    textColumn('ms', ['took', ''], 'visit', ({ ms }) => formatMs(ms)),
    left(textColumn('result', ['result', ''], 'taken', ({ result }) => result ?? nothing)),
    left(textColumn('next', ['next', ''], 'taken', ({ next }) => next ?? nothing)),
    left(textColumn('agents', ['agents', ''], 'taken', agentsText)),
  ]
  return createTable(title, columns, visits, visits.flatMap(visitNotes))
}

const agentsText = ({ agents }: ShownVisit) =>
  agents.map((one) => agentText({ ...one, error: null })).join(', ') || nothing

function visitNotes({ state, visit, redirect, agents }: ShownVisit): Note[] {
  const name = visitName({ state, visit })
  return [
    ...agents.flatMap((one) => (one.status === 'done' ? [] : [{ text: `${name}: ${agentText(one)}.` }])),
    ...(redirect === null
      ? []
      : [{ text: `${name}: the orchestrator sent the workflow to ${redirect} instead.` }]),
  ]
}

/** Returns the rules that broke in a trial, and what the orchestrator decided. */
export function breakNotes({ breaks, decisions }: MachineView): Note[] {
  const broken = breaks.map(({ rule, hard, fact, from, to, at }) => ({
    text: `${hard ? 'Hard limit' : 'Break'} ${rule}${at === null ? '' : ` at ${formatMs(at)}`}, from ${from} to ${to}: ${fact}.`,
  }))
  const decided = decisions.map((one) => ({ text: `Decision at ${formatMs(one.at)}: ${decisionText(one)}` }))
  return [...(broken.length > 0 ? broken : [{ text: 'No rule broke.' }]), ...decided]
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

/** Creates the table of context windows, with advice for those that are not healthy. */
export function windowTable(title: string, rows: readonly SessionWindow[]): Table {
  const columns: ColumnOf<SessionWindow>[] = [
    labelColumn('name', 'session', ({ name }) => name),
    textColumn('used', ['largest prompt', 'tokens'], 'window', ({ used }) =>
      used === null ? unknown : formatCount(used),
    ),
    textColumn('window', ['window', 'tokens'], 'window', ({ window, source }) => windowText(window, source)),
    textColumn('percent', ['used', '%'], 'window', percentText),
    left(textColumn('level', ['health', ''], 'window', levelText)),
  ]
  const advised = new Map<string, string[]>()
  for (const { name, level, advice } of rows)
    if (level !== 'healthy') advised.set(advice, [...(advised.get(advice) ?? []), name])
  const notes = [...advised].map(([advice, names]) => ({ text: `${names.join('; ')}: ${advice}` }))
  return createTable(title, columns, rows, notes)
}

/** Returns the window of a session. */
export const sessionWindow = (
  name: string,
  used: number | null,
  window: { tokens: number; source: 'setting' | 'table' } | undefined,
): SessionWindow => ({ name, source: window?.source ?? null, ...contextHealth(used, window?.tokens ?? null) })
