import type { TrialRecord } from '../../schema/ledger/record.ts'
import { type AgentRun, MachineRecord } from '../../schema/machine/machine-record.ts'
import {
  agreementByCriterion,
  type CriterionScores,
  scoresOf,
  type UnitScore,
} from '../agreement/agreement.ts'
import { type KnownSum, knownSum } from './known-sum.ts'
import { addStates, type StateSums, type StateTally, stateSums } from './state-sums.ts'

/** Sums over the workflows of states that a method's trials ran. */
export interface MachineSums {
  trials: number
  states: StateSums[]
  /** How often each transition was taken, and in how many trials. */
  transitions: { workflow: string; from: string; result: string; to: string; times: number; trials: number }[]
  /** The states of whole trials in order, the most frequent path first. */
  paths: { workflow: string; path: string[]; trials: number }[]
  /** Broken rules and hard limits, decisions of the orchestrator and verdicts of gates, by name. */
  breaks: Readonly<Record<string, number>>
  decisions: Readonly<Record<string, number>>
  verdicts: Readonly<Record<string, number>>
  /** Trials by how they ended: done, halted, exhausted, … */
  ends: Readonly<Record<string, number>>
  /** Runs of agents, and those that failed or ran out of time. */
  runs: { all: number; failed: number; timeout: number }
  /** Visits in which some agents failed, and some did not. */
  partialFailures: number
  /** Texts of guidance by where they came from; answers of approvals. */
  guidance: Readonly<Record<string, number>>
  approvals: Readonly<Record<string, number>>
  /** What decisions of the orchestrator spent, which is part of no visit. */
  decided: { tokens: KnownSum; costUsd: KnownSum }
  scores: CriterionScores[]
  /** What the first trials handed in. */
  delivered: DeliveredOutput[]
}

/** The output that a trial handed in. */
interface DeliveredOutput {
  trial: string
  task: string
  epoch: number
  path: string
  words: number
  /** Its first words; null: the run's `capture` leaves them out. */
  preview: string | null
}

const mostDelivered = 10

type Counts = Map<string, number>

/** Returns the sums without previews of outputs. */
export const withoutPreviews = (sums: MachineSums | null): MachineSums | null =>
  sums && { ...sums, delivered: sums.delivered.map((one) => ({ ...one, preview: null })) }

/** Running sums over records. */
export interface MachineTally {
  trials: number
  states: Map<string, StateTally>
  transitions: Map<string, MachineSums['transitions'][number]>
  paths: Map<string, MachineSums['paths'][number]>
  counts: Record<'breaks' | 'decisions' | 'verdicts' | 'ends' | 'guidance' | 'approvals', Counts>
  runs: MachineSums['runs']
  decided: Record<'tokens' | 'costUsd', (number | null)[]>
  scores: UnitScore[]
  delivered: DeliveredOutput[]
}

/** Adds the workflow of states of a record, if it ran one. */
export function addMachine(tally: MachineTally | null, record: TrialRecord): MachineTally | null {
  const machine = machineOf(record)
  if (!machine) return tally
  const sums = tally ?? emptyTally()
  sums.trials++
  addStates(sums.states, machine)
  addTransitions(sums, machine)
  for (const { rule, hard } of machine.breaks) count(sums.counts.breaks, hard ? `${rule} (hard limit)` : rule)
  for (const { decision, spent } of machine.decisions) {
    count(sums.counts.decisions, decision)
    sums.decided.tokens.push(spent ? sumOrNull(spent.input, spent.output) : null)
    sums.decided.costUsd.push(spent?.costUsd ?? null)
  }
  for (const { decision } of machine.gates) count(sums.counts.verdicts, decision)
  for (const { from } of machine.guidance) count(sums.counts.guidance, from)
  for (const { decision } of machine.approvals) count(sums.counts.approvals, decision)
  count(sums.counts.ends, record.claimed ?? record.outcome.status)
  for (const { status } of machine.visits.flatMap(({ runs }) => runs)) {
    sums.runs.all++
    if (status !== 'done') sums.runs[status]++
  }
  sums.scores.push(...scoresOf(machine, record.trial))
  const output = deliveredOutput(machine)
  if (output && sums.delivered.length < mostDelivered) {
    const { path, words, preview } = output
    sums.delivered.push({
      ...{ trial: record.trial, task: record.task, epoch: record.epoch, path, words, preview },
    })
  }
  return sums
}

/** Returns the workflow of states of a record; undefined if it ran none. A user's strategy may use the field for something else. */
export const machineOf = ({ state }: Pick<TrialRecord, 'state'>): MachineRecord | undefined =>
  state?.machine === undefined ? undefined : MachineRecord.safeParse(state.machine).data

/** Returns the output that a workflow handed in, as it was last written; undefined if it handed in nothing. */
function deliveredOutput({ visits, delivered }: MachineRecord): AgentRun['output'] {
  const outputs = visits.flatMap(({ runs }) => runs.flatMap(({ output }) => output ?? []))
  return outputs.findLast(({ path }) => path === delivered)
}

function addTransitions(sums: MachineTally, machine: MachineRecord): void {
  const { name: workflow, visits } = machine
  const taken = new Set<string>()
  for (const { from, result, to } of transitionsOf(machine)) {
    const key = JSON.stringify([workflow, from, result, to])
    const one = sums.transitions.get(key) ?? { workflow, from, result, to, times: 0, trials: 0 }
    one.times++
    if (!taken.has(key)) one.trials++
    taken.add(key)
    sums.transitions.set(key, one)
  }
  const path = visits.map(({ state }) => state)
  const key = JSON.stringify([workflow, path])
  const one = sums.paths.get(key) ?? { workflow, path, trials: 0 }
  one.trials++
  sums.paths.set(key, one)
}

/** Returns the transitions in order. A decision that sends the workflow elsewhere is a second transition of a visit. */
function transitionsOf({ visits, decisions }: MachineRecord): { from: string; result: string; to: string }[] {
  return visits.flatMap(({ state: from, result, next }, place) => {
    if (next === null) return []
    const own = { from, result: result ?? '', to: next }
    const to = visits[place + 1]?.state
    if (to === undefined || to === next) return [own]
    const decision = decisions.find(({ state, goes_to }) => state === from && goes_to === to)?.decision
    return [own, { from, result: decision ?? 'decision', to }]
  })
}

/** Returns the sums; null if no trial ran a workflow of states. */
export function machineSums(tally: MachineTally | null): MachineSums | null {
  if (!tally) return null
  const { trials, transitions, paths, counts, runs, decided, scores, delivered } = tally
  const states = stateSums(tally.states)
  return {
    trials,
    states,
    transitions: [...transitions.values()].map((one) => ({ ...one })),
    paths: [...paths.values()].map((one) => ({ ...one })).sort((a, b) => b.trials - a.trials),
    breaks: sorted(counts.breaks),
    decisions: sorted(counts.decisions),
    verdicts: sorted(counts.verdicts),
    ends: sorted(counts.ends),
    runs: { ...runs },
    partialFailures: states.reduce((sum, state) => sum + state.partialFailures, 0),
    guidance: sorted(counts.guidance),
    approvals: sorted(counts.approvals),
    decided: { tokens: knownSum(decided.tokens), costUsd: knownSum(decided.costUsd) },
    scores: agreementByCriterion(scores),
    delivered: [...delivered],
  }
}

const sumOrNull = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b)

const count = (counts: Counts, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

const sorted = (counts: Counts) => Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))

const emptyTally = (): MachineTally => ({
  trials: 0,
  states: new Map(),
  transitions: new Map(),
  paths: new Map(),
  counts: {
    ...{ breaks: new Map(), decisions: new Map(), verdicts: new Map() },
    ...{ ends: new Map(), guidance: new Map(), approvals: new Map() },
  },
  runs: { all: 0, failed: 0, timeout: 0 },
  decided: { tokens: [], costUsd: [] },
  scores: [],
  delivered: [],
})
