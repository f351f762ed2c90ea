import type { CallSums } from '../../analysis/workflow/calls.ts'
import type { AgentContext, ContextHealth } from '../../analysis/workflow/contexts.ts'
import type { MachineView, ShownVisit } from '../../analysis/workflow/record.ts'
import { groupBy } from '../../base/grouping.ts'
import {
  type ColumnOf,
  createTable,
  labelColumn,
  type Note,
  type Table,
  textColumn,
} from '../tables/table.ts'
import { formatAmount, formatCount, formatMs, formatUsd, nothing } from '../words/numbers.ts'
import { healthColumns, left } from './columns.ts'
import { agentText, decisionText, visitName } from './lines.ts'

/** Creates the table of a trial's transitions, with a note for each agent that failed and each decision that went elsewhere. */
export const transitionTable = (title: string, { visits }: MachineView): Table =>
  createTable(title, visitColumns, visits, visits.flatMap(visitNotes))

const visitColumns: ColumnOf<ShownVisit>[] = [
  labelColumn('state', 'state', ({ state }) => state),
  textColumn('visit', ['visit', ''], 'visit', ({ visit }) => String(visit)),
  textColumn('at', ['at', ''], 'visit', ({ at }) => formatMs(at)),
  textColumn('ms', ['took', ''], 'visit', ({ ms }) => formatMs(ms)),
  left(textColumn('result', ['result', ''], 'taken', ({ result }) => result ?? nothing)),
  left(textColumn('next', ['next', ''], 'taken', ({ next }) => next ?? nothing)),
  left(textColumn('agents', ['agents', ''], 'taken', agentsText)),
]

function agentsText({ agents }: ShownVisit): string {
  return agents.map((one) => agentText({ ...one, error: null })).join(', ') || nothing
}

function visitNotes(visit: ShownVisit): Note[] {
  const failed = visit.agents.filter(({ status }) => status !== 'done').map((one) => `${agentText(one)}.`)
  const sent =
    visit.redirect === null ? [] : [`the orchestrator sent the workflow to ${visit.redirect} instead.`]
  return [...failed, ...sent].map((text) => ({ text: `${visitName(visit)}: ${text}` }))
}

/** Returns the rules that broke in a trial, and what the orchestrator decided. */
export function breakNotes({ breaks, decisions }: MachineView): Note[] {
  const broken = breaks.map(
    ({ rule, hard, fact, from, to, at }) =>
      `${hard ? 'Hard limit' : 'Break'} ${rule}${at === null ? '' : ` at ${formatMs(at)}`}, from ${from} to ${to}: ${fact}.`,
  )
  const decided = decisions.map((one) => `Decision at ${formatMs(one.at)}: ${decisionText(one)}`)
  return [...(broken.length > 0 ? broken : ['No rule broke.']), ...decided].map((text) => ({ text }))
}

/** Tokens and cost of the calls of one group. */
export type SpendingRow = CallSums & { name: string }

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
export type SessionWindow = ContextHealth & Pick<AgentContext, 'source'> & { name: string }

/** Creates the table of context windows, with advice for those that are not healthy. */
export function windowTable(title: string, rows: readonly SessionWindow[]): Table {
  const advised = groupBy(
    rows.filter(({ level }) => level !== 'healthy'),
    ({ advice }) => advice,
  )
  const session = labelColumn<SessionWindow>('name', 'session', ({ name }) => name)
  return createTable(
    title,
    [session, ...healthColumns<SessionWindow>()],
    rows,
    [...advised].map(([advice, own]) => ({ text: `${own.map(({ name }) => name).join('; ')}: ${advice}` })),
  )
}
