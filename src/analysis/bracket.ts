import type { Bracket } from '../schema/run/run.ts'
import { outcomeInterval } from './compare/outcome-difference.ts'
import type { RecordSums } from './rows.ts'
import { isMissing, knownListCost } from './tally.ts'
import { type ClusterNames, clustersOf } from './tasks/clusters.ts'
import type { Interval } from './tasks/interval.ts'
import { successValue } from './tasks/task-value.ts'

/** Success as a share, and US dollars per trial at list prices; null if unknown. */
export interface BracketValue {
  success: number
  costUsd: number | null
}

/**
 * What a method lost against the best of its agents alone, as shares: success of that agent minus that of the method. The 95% limits hold
 * for all its agents together (Bonferroni), so also for the one that turned out best: the greatest of their lower and upper limits.
 */
interface Regret extends Interval {
  /** The row that passes most; of equal ones that of the cheapest agent. */
  best: string
  /** Tasks on which the method passed more often than this row, and less often. */
  gained: number
  lost: number
}

/** A method that asks several agents, beside each of them alone. Means over the tasks that were graded for all of these rows. */
export interface BracketedMethod {
  method: string
  by: Bracket['by']
  /** From cheap to dear, each with the row that asks it alone. */
  agents: Bracket['agents']
  tasks: number
  /** Null where no task was graded for all rows. */
  values: Record<'method' | 'cheapest' | 'dearest' | 'hindsight', BracketValue> | null
  /** How far the method is from the cheapest (0) to the dearest (1); null where the two are equal or unknown. */
  between: { success: number | null; costUsd: number | null }
  /** Null where no task was graded for all rows. */
  regret: Regret | null
}

/** The graded trials of a row on a task. */
type Trials = BracketValue[]

/** Returns a builder that places methods between the agents that they ask, as the plan of the run orders these. */
export function createBracket(
  brackets: readonly Bracket[],
  clusters: ClusterNames = {},
): RecordSums<BracketedMethod[]> {
  const wanted = new Set(brackets.flatMap(({ method, agents }) => [method, ...agents.map(({ row }) => row)]))
  const rows = new Map<string, Map<string, Trials>>()
  return {
    add(record) {
      const { method, task, passed } = record
      if (!wanted.has(method) || passed === null || isMissing(record)) return
      const tasks = rows.get(method) ?? new Map<string, Trials>()
      rows.set(method, tasks)
      tasks.set(task, [
        ...(tasks.get(task) ?? []),
        { success: Number(passed), costUsd: knownListCost(record) },
      ])
    },
    result: () => brackets.map((bracket) => placeMethod(bracket, rows, clusters)),
  }
}

type Rows = ReadonlyMap<string, ReadonlyMap<string, Trials>>

function placeMethod(bracket: Bracket, rows: Rows, clusters: ClusterNames): BracketedMethod {
  const { method, by, agents } = bracket
  const [cheapest, dearest] = [agents[0], agents.at(-1)] as [Bracket['agents'][0], Bracket['agents'][0]]
  const shared = [...(rows.get(method)?.keys() ?? [])].filter((task) =>
    agents.every(({ row }) => rows.get(row)?.has(task)),
  )
  const named = { method, by, agents, tasks: shared.length }
  if (shared.length === 0)
    return { ...named, values: null, between: { success: null, costUsd: null }, regret: null }
  const on = (row: string, task: string) => meanOf(rows.get(row)?.get(task) ?? [])
  const over = (of: (task: string) => BracketValue) => meanOf(shared.map(of))
  const values = {
    method: over((task) => on(method, task)),
    cheapest: over((task) => on(cheapest.row, task)),
    dearest: over((task) => on(dearest.row, task)),
    hindsight: over((task) => bestOf(agents.map(({ row }) => on(row, task)))),
  }
  return {
    ...{ ...named, values },
    between: { success: between(values, 'success'), costUsd: between(values, 'costUsd') },
    regret: regretOf(bracket, shared, { rows, clusters }),
  }
}

const confidence = 0.95

function regretOf(
  { method, agents }: Bracket,
  tasks: readonly string[],
  { rows, clusters }: { rows: Rows; clusters: ClusterNames },
): Regret {
  const valuesOf = (row: string) =>
    tasks.map((task) => {
      const trials = rows.get(row)?.get(task) ?? []
      return successValue(trials.filter(({ success }) => success === 1).length, trials.length, 0)
    })
  const own = valuesOf(method)
  const ofTasks = clustersOf(tasks, clusters)
  const each = 1 - (1 - confidence) / agents.length
  const losses = agents.map(({ row }) => {
    const values = valuesOf(row)
    return { row, values, ...outcomeInterval(values, own, each, ofTasks) }
  })
  const [first, ...others] = losses as [(typeof losses)[0], ...typeof losses]
  const best = others.reduce((most, one) => ((one.estimate ?? 0) > (most.estimate ?? 0) ? one : most), first)
  const greatest = (limits: readonly (number | null)[]) =>
    limits.some((limit) => limit === null) ? null : Math.max(...(limits as number[]))
  const ahead = own.map(({ mean }, at) => (mean ?? 0) - (best.values[at]?.mean ?? 0))
  return {
    best: best.row,
    estimate: best.estimate,
    lower: greatest(losses.map(({ lower }) => lower)),
    upper: greatest(losses.map(({ upper }) => upper)),
    gained: ahead.filter((difference) => difference > 0).length,
    lost: ahead.filter((difference) => difference < 0).length,
  }
}

function meanOf(values: readonly BracketValue[]): BracketValue {
  const costs = values.flatMap(({ costUsd }) => costUsd ?? [])
  return {
    success: values.reduce((sum, { success }) => sum + success, 0) / values.length,
    costUsd: costs.length < values.length ? null : costs.reduce((sum, cost) => sum + cost, 0) / costs.length,
  }
}

/** The agent that passed most on a task; of equal ones the one that cost least, or the first where a cost is unknown. */
function bestOf(values: readonly BracketValue[]): BracketValue {
  const [first, ...others] = values as [BracketValue, ...BracketValue[]]
  return others.reduce((best, one) => {
    if (one.success !== best.success) return one.success > best.success ? one : best
    return one.costUsd !== null && best.costUsd !== null && one.costUsd < best.costUsd ? one : best
  }, first)
}

function between(
  { method, cheapest, dearest }: NonNullable<BracketedMethod['values']>,
  field: keyof BracketValue,
): number | null {
  const [at, from, to] = [method[field], cheapest[field], dearest[field]]
  return at === null || from === null || to === null || from === to ? null : (at - from) / (to - from)
}
