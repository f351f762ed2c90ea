import { valueAt } from '../../base/grouping.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { MachineRecord } from '../../schema/machine/machine-record.ts'
import { WorkflowRecord } from '../../schema/method/workflow-record.ts'
import { agreementByCriterion, scoresOf, type UnitScore } from '../agreement/agreement.ts'
import { addKnown, emptySum, type PartSum, toKnownSum, tokensOf } from './calls.ts'
import { deliveredOutput, redirectOf } from './record.ts'
import { type MachineSums, type Named, named, type StateSums, type WorkflowSums } from './sums.ts'

const mostDelivered = 10

type Counts = Map<string, number>
type StateTally = Omit<StateSums, 'tokens' | 'costUsd'> & { tokens: PartSum; costUsd: PartSum }

/** Running sums over the workflows of records. */
export interface WorkflowTally {
  machines: Pick<MachineSums, 'trials' | 'runs' | 'delivered'>
  states: Map<string, StateTally>
  transitions: Map<string, MachineSums['transitions'][number]>
  paths: Map<string, MachineSums['paths'][number]>
  counts: Record<Named, Counts>
  decided: { tokens: PartSum; costUsd: PartSum }
  scores: UnitScore[]
  waves: Record<
    'trials' | 'iterations' | 'done' | 'failed' | 'satisfaction' | 'satisfied' | 'efficiency',
    number
  >
  unmet: Counts
  stages: Map<string, WorkflowSums['stages'][number]>
}

/** Returns sums over no workflows. */
export const emptyWorkflows = (): WorkflowTally => ({
  machines: { trials: 0, runs: { all: 0, failed: 0, timeout: 0 }, delivered: [] },
  states: new Map(),
  transitions: new Map(),
  paths: new Map(),
  counts: Object.fromEntries(named.map((name): [string, Counts] => [name, new Map()])) as Record<
    Named,
    Counts
  >,
  decided: { tokens: emptySum(), costUsd: emptySum() },
  scores: [],
  waves: { trials: 0, iterations: 0, done: 0, failed: 0, satisfaction: 0, satisfied: 0, efficiency: 0 },
  unmet: new Map(),
  stages: new Map(),
})

/** Adds the workflow that a record's trial ran, if any; of states, as `machineOf` reads it. */
export function addWorkflow(
  tally: WorkflowTally,
  record: TrialRecord,
  machine: MachineRecord | undefined,
): void {
  if (machine) addMachine(tally, machine, record)
  if (record.state?.collaboration === undefined) return
  const { data } = WorkflowRecord.safeParse(record.state.collaboration)
  // A user strategy may use the field for something else.
  if (data) addWaves(tally, data)
}

function addMachine(tally: WorkflowTally, machine: MachineRecord, record: TrialRecord): void {
  const { machines, counts, decided } = tally
  machines.trials++
  addVisits(tally, machine)
  for (const { rule, hard } of machine.breaks) count(counts.breaks, hard ? `${rule} (hard limit)` : rule)
  for (const { decision, spent } of machine.decisions) {
    count(counts.decisions, decision)
    addKnown(decided.tokens, spent ? tokensOf(spent) : null)
    addKnown(decided.costUsd, spent?.costUsd ?? null)
  }
  for (const { decision } of machine.gates) count(counts.verdicts, decision)
  for (const { from } of machine.guidance) count(counts.guidance, from)
  for (const { decision } of machine.approvals) count(counts.approvals, decision)
  count(counts.ends, record.claimed ?? record.outcome.status)
  tally.scores.push(...scoresOf(machine, record.trial))
  const output = deliveredOutput(machine)
  if (!output || machines.delivered.length >= mostDelivered) return
  const { trial, task, epoch } = record
  const { path, words, preview } = output
  machines.delivered.push({ trial, task, epoch, path, words, preview })
}

function addVisits(
  { states, transitions, paths, machines }: WorkflowTally,
  { name: workflow, visits, decisions }: MachineRecord,
): void {
  const seen = new Set<unknown>()
  const addTrial = (sums: { trials: number }) => {
    if (!seen.has(sums)) sums.trials++
    seen.add(sums)
  }
  const take = (from: string, result: string, to: string) => {
    const one = valueAt(transitions, JSON.stringify([workflow, from, result, to]), () => ({
      ...{ workflow, from, result, to, times: 0, trials: 0 },
    }))
    one.times++
    addTrial(one)
  }
  visits.forEach(({ state, type, ms, runs, result, next }, place) => {
    const sums = valueAt(states, JSON.stringify([workflow, state]), () => emptyState(workflow, state, type))
    addTrial(sums)
    sums.visits++
    sums.ms += ms
    const failed = runs.filter(({ status }) => status !== 'done').length
    if (failed > 0) sums[failed === runs.length ? 'allFailed' : 'partialFailures']++
    for (const { status, spent } of runs) {
      machines.runs.all++
      if (status !== 'done') machines.runs[status]++
      addKnown(sums.tokens, tokensOf(spent))
      addKnown(sums.costUsd, spent.costUsd)
    }
    if (next === null) return
    take(state, result ?? '', next)
    // A decision that sends the workflow elsewhere is a second transition of a visit.
    const to = redirectOf(next, visits[place + 1])
    const decision = decisions.find((one) => one.state === state && one.goes_to === to)?.decision
    if (to !== null) take(state, decision ?? 'decision', to)
  })
  const path = visits.map(({ state }) => state)
  valueAt(paths, JSON.stringify([workflow, path]), () => ({ workflow, path, trials: 0 })).trials++
}

const emptyState = (workflow: string, state: string, type: string): StateTally => ({
  ...{ workflow, state, type, trials: 0, visits: 0, partialFailures: 0, allFailed: 0, ms: 0 },
  tokens: emptySum(),
  costUsd: emptySum(),
})

function addWaves({ waves, unmet, stages }: WorkflowTally, record: WorkflowRecord): void {
  const { workflow, iterations, conversions, satisfaction, efficiency } = record
  waves.trials++
  waves.iterations += iterations
  waves.done += conversions.done
  waves.failed += conversions.failed
  waves.efficiency += efficiency
  waves.satisfaction += satisfaction ?? 0
  if (satisfaction !== null) waves.satisfied++
  for (const item of new Set(record.stages.flatMap((one) => one.unmet))) count(unmet, item)
  for (const { stage, agent, runs, ms } of record.stages) {
    const sums = valueAt(stages, `${workflow}/${stage}`, () => ({
      ...{ workflow, stage, agent, trials: 0, runs: 0, ms: 0 },
    }))
    sums.trials++
    sums.runs += runs
    sums.ms += ms
  }
}

/** Returns the sums over workflows of stages and over those of states; null where no trial ran one. */
export const workflowSums = (
  tally: WorkflowTally,
): { workflow: WorkflowSums | null; machine: MachineSums | null } => ({
  workflow: tally.waves.trials === 0 ? null : sumWaves(tally),
  machine: tally.machines.trials === 0 ? null : sumMachines(tally),
})

function sumMachines({ machines, counts, decided, scores, ...tally }: WorkflowTally): MachineSums {
  const states = [...tally.states.values()].map(({ ms, tokens, costUsd, ...sums }) => ({
    ...sums,
    ms: ms / sums.visits,
    tokens: toKnownSum(tokens, sums.visits),
    costUsd: toKnownSum(costUsd, sums.visits),
  }))
  return {
    trials: machines.trials,
    states,
    transitions: [...tally.transitions.values()].map((one) => ({ ...one })),
    paths: [...tally.paths.values()].map((one) => ({ ...one })).sort((a, b) => b.trials - a.trials),
    breaks: sorted(counts.breaks),
    decisions: sorted(counts.decisions),
    verdicts: sorted(counts.verdicts),
    ends: sorted(counts.ends),
    runs: { ...machines.runs },
    partialFailures: states.reduce((sum, state) => sum + state.partialFailures, 0),
    guidance: sorted(counts.guidance),
    approvals: sorted(counts.approvals),
    decided: { tokens: toKnownSum(decided.tokens), costUsd: toKnownSum(decided.costUsd) },
    scores: agreementByCriterion(scores),
    delivered: [...machines.delivered],
  }
}

function sumWaves({ waves, unmet, stages }: WorkflowTally): WorkflowSums {
  const { trials, done, failed } = waves
  return {
    trials,
    iterations: waves.iterations / trials,
    conversions: { done, failed, rate: done + failed === 0 ? null : done / (done + failed) },
    satisfaction: waves.satisfied === 0 ? null : waves.satisfaction / waves.satisfied,
    efficiency: waves.efficiency / trials,
    unmet: sorted(unmet),
    stages: [...stages.values()]
      .map((one) => ({ ...one }))
      .sort((a, b) => (a.workflow < b.workflow ? -1 : a.workflow > b.workflow ? 1 : 0)),
  }
}

const count = (counts: Counts, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

const sorted = (counts: Counts) => Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
