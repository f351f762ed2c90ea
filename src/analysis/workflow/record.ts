import { valueAt } from '../../base/grouping.ts'
import type { MachineEvent } from '../../schema/ledger/graph-event.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { AskStep, Step } from '../../schema/ledger/step.ts'
import { type AgentRun, MachineRecord } from '../../schema/machine/machine-record.ts'

/** One visit of a state, as far as it is known. */
export interface ShownVisit {
  state: string
  visit: number
  /** On the trial's clock; ms. */
  at: number
  ms: number
  /** The transition that was taken, and the state that it led to; null: not known, or none was. */
  result: string | null
  next: string | null
  /** The state to which a decision of the orchestrator sent it instead. */
  redirect: string | null
  agents: { agent: string; status: AgentRun['status']; error: string | null }[]
}

/** What a trial's workflow of states did. */
export interface MachineView {
  /** From the record of a trial that has ended; else from its steps so far. */
  source: 'record' | 'steps'
  visits: ShownVisit[]
  /** The events of an unfinished trial do not say when a rule broke. */
  breaks: (Omit<MachineRecord['breaks'][number], 'at'> & { at: number | null })[]
  decisions: MachineRecord['decisions']
}

/** Returns the workflow of states of a record; undefined if it ran none. A user's strategy may use the field for something else. */
export const machineOf = ({ state }: Pick<TrialRecord, 'state'>): MachineRecord | undefined =>
  state?.machine === undefined ? undefined : MachineRecord.safeParse(state.machine).data

/** Returns the output that a workflow handed in, as it was last written; undefined if it handed in nothing. */
export function deliveredOutput({ visits, delivered }: MachineRecord): AgentRun['output'] {
  const outputs = visits.flatMap(({ runs }) => runs.flatMap(({ output }) => output ?? []))
  return outputs.findLast(({ path }) => path === delivered)
}

/** Returns the view of a whole workflow. */
export function viewOfRecord({ visits, breaks, decisions }: MachineRecord): MachineView {
  const shown = visits.map(({ state, visit, at, ms, result, next, runs }, i) => ({
    ...{ state, visit, at, ms, result, next, redirect: redirectOf(next, visits[i + 1]) },
    agents: runs.map(({ agent, status, error }) => ({ agent, status, error: error ?? null })),
  }))
  return { source: 'record', visits: shown, breaks, decisions }
}

/**
 * Returns the view of a workflow that has no record yet, from its checkpoints, the labels of its asks, and its trace events.
 * Undefined if the steps show no state.
 */
export function viewOfSteps(
  steps: readonly Step[],
  events: readonly MachineEvent[],
): MachineView | undefined {
  const visits = visitsIn(steps)
  if (visits.length === 0) return undefined
  addTransitions(visits, events)
  return {
    source: 'steps',
    visits,
    breaks: events.flatMap((event) => (event.type === 'circuit_break' ? [{ ...event, at: null }] : [])),
    decisions: events.flatMap((event) => (event.type === 'orchestrator_decision' ? [event] : [])),
  }
}

/** Returns the state to which a decision sent the workflow, in place of `next`; null: to no other. */
export const redirectOf = (next: string | null, following: { state: string } | undefined): string | null =>
  following && following.state !== next ? following.state : null

/** Fills in which transition each visit took. A decision that sends the workflow elsewhere is a second transition of a visit. */
function addTransitions(visits: readonly ShownVisit[], events: readonly MachineEvent[]): void {
  const taken = events.filter((event) => event.type === 'transition')
  let place = 0
  visits.forEach((visit, i) => {
    const following = visits[i + 1]
    if (following) visit.ms = following.at - visit.at
    const event = taken[place]
    if (event?.from !== visit.state) {
      visit.next = following?.state ?? null
      return
    }
    visit.result = event.result
    visit.next = event.to
    place++
    visit.redirect = redirectOf(event.to, following)
    if (visit.redirect !== null && taken[place]?.from === visit.state) place++
  })
}

function visitsIn(steps: readonly Step[]): ShownVisit[] {
  const visits = new Map<string, ShownVisit>()
  const attempts = new Map<ShownVisit, Map<string, AskStep>>()
  for (const step of steps) {
    const place = placeOf(step)
    if (!place) continue
    const visit = valueAt(visits, JSON.stringify([place.state, place.visit]), () => ({
      ...{ ...place, at: step.at, ms: 0, result: null, next: null, redirect: null, agents: [] },
    }))
    visit.ms = Math.max(visit.ms, step.at + step.durationMs - visit.at)
    if (step.kind !== 'ask' || step.payer !== 'method') continue
    // The last attempt of a role says whether it gave something.
    valueAt(attempts, visit, () => new Map()).set(step.role, step)
  }
  for (const [visit, last] of attempts)
    visit.agents = [...last].map(([agent, { error }]) => ({
      agent,
      status: error === undefined ? 'done' : error.reason === 'timeout' ? 'timeout' : 'failed',
      error: error?.message ?? null,
    }))
  return [...visits.values()].sort((a, b) => a.at - b.at)
}

function placeOf(step: Step): { state: string; visit: number } | undefined {
  const { state, visit } = step.kind === 'state' ? checkpointOf(step.state) : (step.iteration ?? {})
  return typeof state === 'string' && typeof visit === 'number' ? { state, visit } : undefined
}

function checkpointOf({ machine }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return typeof machine === 'object' && machine !== null ? { ...machine } : {}
}
