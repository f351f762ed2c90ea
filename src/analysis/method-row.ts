import { mean, median } from 'simple-statistics'
import type { TrialRecord } from '../schema/ledger/record.ts'
import { addConduct, type ConductTally, emptyConduct, rareConduct } from './conduct.ts'
import { type Activities, addMechanisms, mechanismsOf } from './mechanisms.ts'
import { upwardMargins } from './numeric/margins.ts'
import { gradedTask, knownCostPerSuccess } from './ratios/known-price.ts'
import type { RowName } from './rows.ts'
import type { Amount, MethodSummary } from './summary.ts'
import { addSpending, noSpending, type TrialSpending, tailsOf } from './tails.ts'
import {
  addDollars,
  addToTally,
  emptyTally,
  emptyTotal,
  isMissing,
  knownCost,
  knownListCost,
  listCostPart,
  type TaskTally,
  type Total,
  toAmount,
  toTotalAmount,
  unlistedCalls,
} from './tally.ts'
import { type ClusterNames, clustersOf } from './tasks/clusters.ts'
import { successRate } from './tasks/success-rate.ts'
import { largestTask, successValue } from './tasks/task-value.ts'
import { addToolRuns, type ToolRunTally, toolSavings } from './tool-savings.ts'
import { machineOf } from './workflow/record.ts'
import { addWorkflow, emptyWorkflows, type WorkflowTally, workflowSums } from './workflow/tally.ts'

/** Sums over the records of one method with one set of agents. */
export interface RowTally extends RowName {
  tasks: Map<string, TaskTally>
  outcomes: MethodSummary['outcomes']
  conduct: ConductTally
  workflows: WorkflowTally
  toolRuns: ToolRunTally
  mechanisms: Activities
  spending: TrialSpending
  unreported: MethodSummary['unreported']
  /** The whole bill with missing trials, as billed and at list prices. */
  bill: Total
  list: Total
  reported: MethodSummary['reported']
  gradingCostUsd: number | null
}

/** Returns a row without records. */
export function emptyRow(method: string, agents: string, set: string | null): RowTally {
  return {
    ...{ method, agents, set, tasks: new Map() },
    outcomes: { completed: 0, limited: 0, failed: 0, error: 0, cancelled: 0 },
    unreported: { tokenCalls: 0, tokenTrials: 0, costCalls: 0, costTrials: 0, listCalls: 0, listTrials: 0 },
    conduct: emptyConduct(),
    workflows: emptyWorkflows(),
    ...{ toolRuns: { trials: 0, runs: [] }, mechanisms: {}, spending: noSpending() },
    bill: emptyTotal(),
    list: emptyTotal(),
    reported: null,
    gradingCostUsd: null,
  }
}

/** Adds one record of this row's method and agents. */
export function addRecord(row: RowTally, record: TrialRecord): void {
  let tally = row.tasks.get(record.task)
  if (!tally) {
    tally = emptyTally(record.task)
    row.tasks.set(record.task, tally)
  }
  addToTally(tally, record)
  row.outcomes[record.outcome.status]++
  addConduct(row.conduct, record)
  const machine = machineOf(record)
  addWorkflow(row.workflows, record, machine)
  const { spent } = record
  const [cost, list] = [knownCost(record), knownListCost(record)]
  addSpending(row.spending, record)
  addDollars(row.bill, cost, spent.costUsd)
  addDollars(row.list, list, listCostPart(record))
  if (spent.reported) row.reported = sumOf(row.reported, spent.reported)
  if (record.gradingCostUsd !== null) row.gradingCostUsd = (row.gradingCostUsd ?? 0) + record.gradingCostUsd
  if (isMissing(record)) return
  addToolRuns(row.toolRuns, record)
  addMechanisms(row.mechanisms, record, machine)
  row.unreported.tokenCalls += spent.unreportedTokens
  if (spent.unreportedTokens > 0) row.unreported.tokenTrials++
  // A null cost without a count of calls is unknown for all calls.
  row.unreported.costCalls += cost === null && spent.unreportedCost === 0 ? spent.calls : spent.unreportedCost
  if (cost === null) row.unreported.costTrials++
  row.unreported.listCalls += unlistedCalls(record)
  if (list === null) row.unreported.listTrials++
}

function sumOf(
  sum: MethodSummary['reported'],
  { calls, costUsd, computedUsd }: NonNullable<MethodSummary['reported']>,
): MethodSummary['reported'] {
  return {
    calls: (sum?.calls ?? 0) + calls,
    costUsd: (sum?.costUsd ?? 0) + costUsd,
    computedUsd: (sum?.computedUsd ?? 0) + computedUsd,
  }
}

/** Returns the row's estimates, except those that need the baseline. */
export function summarizeRow(
  row: RowTally,
  { confidence, planned, clusters }: { confidence: number; planned: number | null; clusters: ClusterNames },
): Omit<MethodSummary, 'match' | 'isBaseline' | 'againstBaseline' | 'againstOthers'> {
  const tallies = [...row.tasks.values()]
  const total = (field: 'run' | 'graded' | 'passed' | 'ended') =>
    tallies.reduce((sum, tally) => sum + tally[field], 0)
  const runs = tallies.map((tally) => tally.run)
  const ended = tallies.filter((tally) => tally.ended > 0)
  const timed = tallies.filter((tally) => tally.timedTrials > 0)
  const priced = tallies.filter((tally) => tally.pricedTrials > 0)
  const pricedTrials = priced.reduce((sum, tally) => sum + tally.pricedTrials, 0)
  return {
    ...{ method: row.method, agents: row.agents, set: row.set },
    tasks: tallies.length,
    epochs: { min: least(runs), max: most(runs) },
    trials: {
      planned,
      run: total('run'),
      notRun: planned === null ? null : Math.max(0, planned - total('run')),
      error: row.outcomes.error,
      cancelled: row.outcomes.cancelled,
      ungraded: total('ended') - total('graded'),
      graded: total('graded'),
      passed: total('passed'),
    },
    ...{ outcomes: { ...row.outcomes }, fidelity: { ...row.conduct.fidelity } },
    ownJudge: row.conduct.ownJudge,
    ...rareConduct(row.conduct),
    doneWithNothing: { ...row.conduct.doneWithNothing },
    ...workflowSums(row.workflows),
    ...toolSavings(row.toolRuns),
    ...mechanismsOf(row.mechanisms),
    success: successOf(tallies, confidence, clusters),
    score: meanOf(tallies, (tally) => [tally.score, tally.scored]),
    tokens: tokensOf(ended, row.unreported.tokenTrials > 0),
    cost: {
      perTrial: costOf(ended, ({ costUsd }) => costUsd, row.unreported.costTrials > 0),
      total: toTotalAmount(row.bill),
    },
    listCost: {
      perTrial: costOf(ended, ({ listUsd }) => listUsd, row.unreported.listTrials > 0),
      total: toTotalAmount(row.list),
    },
    ...{ reported: row.reported && { ...row.reported }, gradingCostUsd: row.gradingCostUsd },
    costPerSuccess: {
      ...knownCostPerSuccess(
        tallies.flatMap((tally) => gradedOf(tally) ?? []),
        confidence,
        upwardMargins,
        clustersOf(
          tallies.filter(({ graded }) => graded > 0).map(({ task }) => task),
          clusters,
        ),
      ),
      trials: pricedTrials,
      tasks: priced.length,
      solvedTasks: priced.filter((tally) => tally.pricedPassed > 0).length,
      largest: largestTask(
        priced.map(({ task }) => task),
        priced.map((tally) => tally.pricedCost / tally.pricedTrials),
      ),
      dropped: total('graded') - pricedTrials,
    },
    iterations: medianOf(ended.map((tally) => tally.iterations / tally.ended)),
    p95: tailsOf(row.spending),
    clockMs: medianOf(timed.map((tally) => tally.durationMs / tally.timedTrials)),
    calls: meanOf(ended, (tally) => [tally.calls, tally.ended]),
    checks: meanOf(ended, (tally) => [tally.checks, tally.ended]),
    unreported: { ...row.unreported },
    cells: tallies.map(({ task, run, graded, passed, missing }) => ({ task, run, graded, passed, missing })),
  }
}

function gradedOf(tally: TaskTally) {
  const { graded, gradedCost, passed, pricedTrials, pricedCost, pricedPassed } = tally
  return gradedTask(
    { trials: graded, cost: gradedCost, success: passed },
    { trials: pricedTrials, cost: pricedCost, success: pricedPassed },
  )
}

function successOf(
  tallies: readonly TaskTally[],
  confidence: number,
  stated: ClusterNames,
): MethodSummary['success'] {
  const graded = tallies.filter((tally) => tally.graded > 0)
  const values = graded.map((tally) => successValue(tally.passed, tally.graded, tally.missing))
  const names = graded.map(({ task }) => task)
  const { refusal: _, ...rate } = successRate(values, confidence, clustersOf(names, stated))
  return { ...rate, tasks: graded.length }
}

function tokensOf(ended: readonly TaskTally[], lowerBound: boolean): MethodSummary['tokens'] {
  const amount = (of: (tally: TaskTally) => number, over: 'ended' | 'cachedTrials' = 'ended'): Amount =>
    toAmount(
      meanOf(ended, (tally) => [of(tally), tally[over]]),
      lowerBound,
    )
  return {
    total: amount((tally) => tally.input + tally.output),
    input: amount((tally) => tally.input),
    output: amount((tally) => tally.output),
    cached: amount((tally) => tally.cached, 'cachedTrials'),
  }
}

function costOf(ended: readonly TaskTally[], of: (tally: TaskTally) => number, lowerBound: boolean): Amount {
  return toAmount(
    meanOf(ended, (tally) => [of(tally), tally.ended]),
    lowerBound,
  )
}

function meanOf(
  tallies: readonly TaskTally[],
  part: (tally: TaskTally) => [sum: number, count: number],
): number | null {
  const means = tallies
    .map(part)
    .filter(([, count]) => count > 0)
    .map(([sum, count]) => sum / count)
  return means.length === 0 ? null : mean(means)
}

const medianOf = (values: number[]): number | null => (values.length === 0 ? null : median(values))

// Spreading a hundred thousand tasks into Math.min overflows the stack.
const least = (values: readonly number[]) =>
  values.reduce((low, value) => Math.min(low, value), Number.MAX_SAFE_INTEGER)
const most = (values: readonly number[]) => values.reduce((high, value) => Math.max(high, value), 0)

const boundNames: Readonly<Record<string, string>> = { oracle: 'upper bound', 'no-op': 'lower bound' }

/**
 * Returns `upper bound` or `lower bound` for agents that mark an end of the scale, undefined for all others. Bounds do not
 * compete: they are in no family, on no frontier and have no rank.
 */
export function boundName(agents: string): string | undefined {
  return Object.hasOwn(boundNames, agents) ? boundNames[agents] : undefined
}
