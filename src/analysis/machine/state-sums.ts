import type { MachineRecord, StateVisit } from '../../schema/machine/machine-record.ts'
import type { KnownSum } from './known-sum.ts'

/** One state of one workflow: the trials that reached it, its visits, and means over the visits. */
export interface StateSums {
  workflow: string
  state: string
  type: string
  trials: number
  visits: number
  /** Visits in which some agents failed, and some did not; and in which all failed. */
  partialFailures: number
  allFailed: number
  /** Per visit; time on the trial's clock. */
  ms: number
  tokens: KnownSum
  costUsd: KnownSum
}

/** Running sums of a state. */
export interface StateTally
  extends Pick<
    StateSums,
    'workflow' | 'state' | 'type' | 'trials' | 'visits' | 'partialFailures' | 'allFailed'
  > {
  ms: number
  tokens: PartSum
  costUsd: PartSum
}

interface PartSum {
  sum: number
  known: number
  unknown: number
}

/** Adds the visits of a record to the sums of its states. */
export function addStates(states: Map<string, StateTally>, { name: workflow, visits }: MachineRecord): void {
  const reached = new Set<string>()
  for (const visit of visits) {
    const key = JSON.stringify([workflow, visit.state])
    const tally = states.get(key) ?? emptyState(workflow, visit)
    states.set(key, tally)
    if (!reached.has(key)) tally.trials++
    reached.add(key)
    addVisit(tally, visit)
  }
}

function addVisit(tally: StateTally, { runs, ms }: StateVisit): void {
  const failed = runs.filter(({ status }) => status !== 'done').length
  tally.visits++
  tally.ms += ms
  if (failed > 0 && failed === runs.length) tally.allFailed++
  else if (failed > 0) tally.partialFailures++
  for (const { spent } of runs) {
    const isCounted = spent.input !== null && spent.output !== null
    addPart(tally.tokens, isCounted ? (spent.input ?? 0) + (spent.output ?? 0) : null)
    addPart(tally.costUsd, spent.costUsd)
  }
}

function addPart(part: PartSum, value: number | null): void {
  if (value === null) part.unknown++
  else {
    part.sum += value
    part.known++
  }
}

/** Returns the sums of the states, in the order in which they were first visited. */
export function stateSums(states: ReadonlyMap<string, StateTally>): StateSums[] {
  return [...states.values()].map(({ ms, tokens, costUsd, ...counts }) => ({
    ...counts,
    ms: ms / counts.visits,
    tokens: perVisit(tokens, counts.visits),
    costUsd: perVisit(costUsd, counts.visits),
  }))
}

const perVisit = ({ sum, known, unknown }: PartSum, visits: number): KnownSum => ({
  value: known === 0 && unknown > 0 ? null : sum / visits,
  lowerBound: known > 0 && unknown > 0,
})

const emptyState = (workflow: string, { state, type }: StateVisit): StateTally => ({
  ...{ workflow, state, type, trials: 0, visits: 0, partialFailures: 0, allFailed: 0, ms: 0 },
  tokens: { sum: 0, known: 0, unknown: 0 },
  costUsd: { sum: 0, known: 0, unknown: 0 },
})
