import { loadContextWindows } from '../../agents/context-window.ts'
import { type CallSums, sumCalls, type TrialCall } from '../../analysis/workflow/calls.ts'
import { groupBy } from '../../base/grouping.ts'
import { ledgersOf } from '../../loop/join/blocks.ts'
import { renderTextTables } from '../../reports/formats/text.ts'
import type { Table } from '../../reports/tables/table.ts'
import { counted } from '../../reports/words/numbers.ts'
import { escapeForTerminal, safeLine } from '../../reports/words/safe-text.ts'
import {
  breakNotes,
  type SessionWindow,
  type SpendingRow,
  spendingTable,
  transitionTable,
  windowTable,
} from '../../reports/workflow/show-tables.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { planFromManifest } from '../open/create-session.ts'
import { tryReadTasks } from '../open/find-trial.ts'
import { sessionWindows, windowFinder } from '../report/machine-contexts.ts'
import { terminalWidth } from '../terminal/terminal-width.ts'
import type { ShowFlags } from './show-flags.ts'
import { readTrialViews, type TrialView } from './trial-views.ts'

/** Returns the wanted tables of a run, or of one trial, as text or JSON. */
export async function workflowText(
  { folder, manifest, trial }: { folder: string; manifest: RunManifest; trial: string | undefined },
  flags: ShowFlags,
): Promise<string> {
  const windowOf = windowFinder(manifest, await loadContextWindows())
  const shown: ShownTrial[] = []
  const calls: TrialCall[] = []
  const wanted = (id: string) => trial === undefined || id === trial
  const tasks = await tryReadTasks(folder, manifest)
  const planned = () => planFromManifest(manifest, tasks)
  for (const ledger of ledgersOf(folder))
    for (const view of readTrialViews(ledger, wanted, planned)) {
      shown.push({ view, spending: flags.tokens ? sumSpending(view.calls, windowOf) : undefined })
      if (flags.tokens && trial === undefined) calls.push(...view.calls)
    }
  const total = flags.tokens && trial === undefined ? sumSpending(calls, windowOf, false) : undefined
  if (flags.json) {
    const data = { run: folder, trials: shown.map((one) => trialData(one, flags, manifest)), total }
    return `${escapeForTerminal(JSON.stringify(data, null, 2))}\n`
  }
  const parts = shown.flatMap((one) => trialTexts(one, flags))
  if (total) parts.push(...tableTexts(spendingTables('Run', total)))
  return `${[...parts, ...remarks(shown, flags)].join('\n\n')}\n`
}

interface ShownTrial {
  view: TrialView
  spending: Spending | undefined
}

function trialTexts({ view, spending }: ShownTrial, flags: ShowFlags): string[] {
  const { machine } = view
  const title = titleOf(view)
  return [
    ...(flags.transitions && machine ? tableTexts([transitionTable(title, machine)]) : []),
    ...(flags.breaks && machine
      ? [`${safeLine(title)}: breaks\n\n${renderTextTables([], breakNotes(machine), terminalWidth()).trim()}`]
      : []),
    ...(spending ? tableTexts(spendingTables(title, spending)) : []),
  ]
}

const tableTexts = (tables: readonly Table[]) =>
  tables.map((table) => renderTextTables([table], table.notes, terminalWidth()).trimEnd())

function titleOf({ trial, cell, end, machine }: TrialView): string {
  const name = cell ? `, ${cell.task}, ${cell.method}, epoch ${cell.epoch}` : ''
  const source = machine?.source === 'steps' ? ', from its steps so far' : ''
  return `Trial ${trial.slice(0, 12)}${name}, ${end}${source}`
}

function remarks(shown: readonly ShownTrial[], flags: ShowFlags): string[] {
  const without = shown.filter(({ view }) => !view.machine).length
  if (shown.length === 0) return ['No trial has begun yet.']
  if (without === 0 || !(flags.transitions || flags.breaks)) return []
  const which = without === shown.length ? 'No trial here' : `${counted(without, 'other trial')} here`
  return [
    without === shown.length
      ? `${which} ran a workflow of states, so there are no transitions and breaks. Methods such as fanout run one: bench methods fanout.`
      : `${which} ran no workflow of states.`,
  ]
}

function trialData({ view, spending }: ShownTrial, flags: ShowFlags, { capture }: RunManifest) {
  const { trial, cell, end, machine, calls } = view
  return {
    trial,
    ...cell,
    end,
    source: machine?.source ?? null,
    ...(flags.transitions && { visits: machine?.visits ?? null }),
    ...(flags.breaks && { breaks: machine?.breaks ?? null, decisions: machine?.decisions ?? null }),
    ...(spending && {
      tokens: {
        ...spending,
        calls: capture?.usage === false ? calls.map(({ usage: _, ...call }) => call) : calls,
      },
    }),
  }
}

/** The spending of some calls by state, agent and session. */
interface Spending {
  total: CallSums
  /** Empty if the method has no states. */
  states: SpendingRow[]
  agents: SpendingRow[]
  sessions: (SessionWindow & CallSums)[]
}

/** Sums up calls of one trial or, with `inSessions` false, of several, whose sessions have nothing in common. */
function sumSpending(
  calls: readonly TrialCall[],
  windowOf: ReturnType<typeof windowFinder>,
  inSessions = true,
): Spending {
  const by = (nameOf: (call: TrialCall) => string) =>
    [...groupBy(calls, nameOf)].map(([name, own]) => ({ name, ...sumCalls(own) }))
  const hasStates = calls.some(({ state }) => state !== null)
  return {
    total: sumCalls(calls),
    states: hasStates ? by(({ state }) => state ?? '(no state)') : [],
    agents: by(agentName),
    sessions: inSessions ? sessionWindows(calls, windowOf) : [],
  }
}

const agentName = ({ role, agent }: TrialCall) => `${role}, by ${agent}`

function spendingTables(title: string, { total, states, agents, sessions }: Spending): Table[] {
  const all = { name: 'all', ...total }
  const spent = (what: string, rows: Spending['states']) =>
    spendingTable(`${title}: tokens by ${what}`, what, [...rows, all])
  return [
    ...(states.length > 0 ? [spent('state', states)] : []),
    spent('agent', agents),
    ...(sessions.length > 0
      ? [
          spendingTable(`${title}: tokens by session`, 'session', sessions),
          windowTable(`${title}: context windows`, sessions),
        ]
      : []),
  ]
}
