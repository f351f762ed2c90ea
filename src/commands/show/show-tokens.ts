import {
  type CallSums,
  groupCalls,
  largestPrompt,
  sumCalls,
  type TrialCall,
} from '../../analysis/machine/calls.ts'
import {
  type SessionWindow,
  sessionWindow,
  spendingTable,
  windowTable,
} from '../../reports/states/show-tables.ts'
import type { Table } from '../../reports/tables/table.ts'
import type { windowFinder } from '../report/machine-contexts.ts'

/** The spending of some calls by state, agent and session. */
export interface Spending {
  total: CallSums
  /** Empty if the method has no states. */
  states: ({ name: string } & CallSums)[]
  agents: ({ name: string } & CallSums)[]
  sessions: (SessionWindow & CallSums)[]
}

/** Sums up calls of one trial or, with `inSessions` false, of several, whose sessions have nothing in common. */
export function sumSpending(
  calls: readonly TrialCall[],
  windowOf: ReturnType<typeof windowFinder>,
  inSessions = true,
): Spending {
  const by = (nameOf: (call: TrialCall) => string, some = calls) =>
    groupCalls(some, nameOf).map(([name, own]) => ({ name, ...sumCalls(own) }))
  const hasStates = calls.some(({ state }) => state !== null)
  return {
    total: sumCalls(calls),
    states: hasStates ? by(({ state }) => state ?? '(no state)') : [],
    agents: by(agentName),
    sessions: inSessions
      ? groupCalls(calls, sessionName).map(([name, own]) => {
          const window = own.map(windowOf).find((found) => found !== undefined)
          return { ...sessionWindow(name, largestPrompt(own), window), ...sumCalls(own) }
        })
      : [],
  }
}

const agentName = ({ role, agent }: TrialCall) => `${role}, by ${agent}`

/** Calls without a session begin a conversation each; they share a line. */
const sessionName = ({ role, session }: TrialCall) =>
  session === null ? `${role}, each call alone` : `${role}, session ${session}`

/** Creates the tables of a spending. */
export function spendingTables(title: string, { total, states, agents, sessions }: Spending): Table[] {
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
