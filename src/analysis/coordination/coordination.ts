import { mean } from 'simple-statistics'
import { valueAt } from '../../base/grouping.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { createRows, type RowName } from '../rows.ts'
import { agentsLabel } from '../summarize.ts'
import { isMissing } from '../tally.ts'
import { type ByKind, noTokens, spendingKinds, type TrialCoordination } from './trial-coordination.ts'

/** Names of the measures per trial. Each is a mean over tasks of means over trials; null: unknown for every trial. */
const perTrial = ['tokens', 'costUsd', 'calls', 'turns', 'checks', 'messages', 'workMs', 'pathMs'] as const
/** One of the measures per trial. */
export type PerTrial = (typeof perTrial)[number]

/** Measures with an overhead over the baseline. Each is separate, because they need not agree. */
const overheads = ['tokens', 'calls', 'turns', 'costUsd', 'pathMs'] as const satisfies PerTrial[]
/** One of the measures with an overhead. */
export type Overhead = (typeof overheads)[number]

const shares = ['requestKept', 'messageKept', 'summaryLost'] as const

/** One row: coordination of one method with one set of agents. */
export interface MethodCoordination extends RowName {
  isBaseline: boolean
  trials: number
  perTrial: Record<PerTrial, number | null>
  /** Percent above the baseline, paired by task, as a ratio of means; null without a baseline. */
  overhead: Record<Overhead, number | null> | null
  /** Shares of all reported tokens, which sum to 1; null without tokens. */
  shares: ByKind | null
  /** Total work over its longest chain: 1 is sequential, more is parallel. */
  parallelism: number | null
  /** Shares from 0 to 1, means over the trials with a value; see `TrialCoordination`. */
  requestKept: number | null
  messageKept: number | null
  summaryLost: number | null
  /** Input tokens by role, means over the trials that asked the role; `growth` is last over first. */
  context: { role: string; asks: number; first: number; last: number; peak: number; growth: number | null }[]
}

interface Row extends RowName {
  trials: number
  measures: Record<PerTrial, Average>
  byKind: ByKind
  kept: Record<(typeof shares)[number], { sum: number; count: number }>
  context: Map<string, { trials: number; asks: number; first: number; last: number; peak: number }>
}

/** Returns a builder that sums up coordination by method and agents, in the order of `methods`. */
export function createCoordination(options: { baseline: string | null; methods: readonly string[] }) {
  const rows = createRows(emptyRow)
  return {
    /** Adds a trial. Missing trials are left out. */
    add(record: TrialRecord, coordination: TrialCoordination) {
      if (isMissing(record)) return
      const row = rows.of(record.method, agentsLabel(record.agents), record.agentSet ?? null)
      addTrial(row, record, coordination)
    },
    result(): MethodCoordination[] {
      const ordered = rows.inOrderOf(options.methods)
      const bases = ordered.filter(({ method }) => method === options.baseline)
      return ordered.map((row) => {
        const near = bases.filter(({ set }) => set === row.set)
        const base = near.length === 1 ? near[0] : near.find(({ agents }) => agents === row.agents)
        return summarizeRow(row, base)
      })
    },
  }
}

function emptyRow(method: string, agents: string, set: string | null): Row {
  return {
    method,
    agents,
    set,
    trials: 0,
    measures: record(perTrial, (): Average => new Map()),
    byKind: noTokens(),
    kept: record(shares, () => ({ sum: 0, count: 0 })),
    context: new Map(),
  }
}

function addTrial(row: Row, { task, durationMs }: TrialRecord, trial: TrialCoordination): void {
  row.trials++
  for (const name of perTrial) {
    // A sum with unreported calls would be too low.
    if (name === 'tokens' && trial.unreportedTokens > 0) continue
    if (name === 'costUsd' && trial.unreportedCost > 0) continue
    if (durationMs === null && name.endsWith('Ms')) continue
    const sums = valueAt(row.measures[name], task, () => ({ sum: 0, trials: 0 }))
    sums.sum += trial[name]
    sums.trials++
  }
  for (const kind of spendingKinds) row.byKind[kind] += trial.byKind[kind]
  for (const name of shares) {
    const value = trial[name]
    if (value === null) continue
    row.kept[name].sum += value
    row.kept[name].count++
  }
  for (const [role, growth] of trial.context) {
    const sums = valueAt(row.context, role, () => ({ trials: 0, asks: 0, first: 0, last: 0, peak: 0 }))
    sums.trials++
    for (const name of ['asks', 'first', 'last', 'peak'] as const) sums[name] += growth[name]
  }
}

function summarizeRow(row: Row, base: Row | undefined): MethodCoordination {
  const tokens = spendingKinds.reduce((sum, kind) => sum + row.byKind[kind], 0)
  const { workMs, pathMs } = row.measures
  const work = averageOf(workMs)
  const path = averageOf(pathMs)
  return {
    method: row.method,
    agents: row.agents,
    set: row.set,
    isBaseline: row === base,
    trials: row.trials,
    perTrial: record(perTrial, (name) => averageOf(row.measures[name])),
    overhead:
      base && base !== row
        ? record(overheads, (name) => overheadPercent(row.measures[name], base.measures[name]))
        : null,
    shares: tokens === 0 ? null : record(spendingKinds, (kind) => row.byKind[kind] / tokens),
    parallelism: work === null || !path ? null : work / path,
    ...record(shares, (name) => {
      const { sum, count } = row.kept[name]
      return count === 0 ? null : sum / count
    }),
    context: [...row.context].map(([role, { trials, ...sums }]) => {
      const means = record(['asks', 'first', 'last', 'peak'], (name) => sums[name] / trials)
      return { role, ...means, growth: means.first === 0 ? null : means.last / means.first }
    }),
  }
}

function record<Name extends string, Value>(
  names: readonly Name[],
  value: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>
}

/** Sums of a measure by task, so that tasks weigh the same whatever their number of trials. */
type Average = Map<string, { sum: number; trials: number }>

function averageOf(tasks: Average): number | null {
  return tasks.size === 0 ? null : mean([...tasks.values()].map(({ sum, trials }) => sum / trials))
}

/**
 * Returns by how many percent one average is above another, over the tasks that both have, as a ratio of means (tasks that
 * cost almost nothing would dominate a mean of ratios). Null without such tasks, or if the other is 0.
 */
function overheadPercent(ours: Average, theirs: Average): number | null {
  const pairs: [number, number][] = []
  for (const [task, mine] of ours) {
    const other = theirs.get(task)
    if (other) pairs.push([mine.sum / mine.trials, other.sum / other.trials])
  }
  const base = pairs.reduce((sum, [, value]) => sum + value, 0)
  return base === 0 ? null : 100 * (pairs.reduce((sum, [value]) => sum + value, 0) / base - 1)
}
