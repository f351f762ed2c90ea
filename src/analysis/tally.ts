import type { TrialRecord } from '../schema/ledger/record.ts'
import { UserError } from '../text/errors.ts'
import type { Amount } from './summary.ts'

/** A sum of US dollars: whether any of it is known, and whether a part is unknown. */
export interface Total {
  sum: number
  known: boolean
  partly: boolean
}

/** Returns a total of nothing. */
export const emptyTotal = (): Total => ({ sum: 0, known: false, partly: false })

/** Adds a cost: `whole` if all of it is known, else the known `part`. */
export function addDollars(total: Total, whole: number | null, part: number | null): void {
  total.sum += whole ?? part ?? 0
  if (whole === null) total.partly = true
  if (whole !== null || part !== null) total.known = true
}

/** Returns the known sum, or an unknown amount if nothing is known. */
export function toTotalAmount({ sum, known, partly }: Total): Amount {
  return known ? toAmount(sum, partly) : { value: null, lowerBound: false }
}

/** Returns the amount. A lower bound of 0 becomes unknown, since "at least 0" says nothing. */
export function toAmount(value: number | null, lowerBound: boolean): Amount {
  return value === null || (value === 0 && lowerBound)
    ? { value: null, lowerBound: false }
    : { value, lowerBound }
}

/**
 * Sums of numbers over trials. `ended`: trials that ended by themselves or by a limit of the trial, graded or not; `listUsd`: at
 * uncached list prices. `durationMs` is over the `timedTrials` whose time is known, `cached` over the `cachedTrials` that do not say that it is unknown, `tokens` over the `tokenTrials` with all tokens reported, `list` over the `listTrials` whose calls all have
 * a list price. `gradedCost` is the known part of the cost of the graded trials; those with all costs reported have `pricedTrials`,
 * `pricedCost` and `pricedPassed`.
 */
const summed = [
  ...(['run', 'missing', 'ended', 'graded', 'passed', 'scored', 'score'] as const),
  ...(['input', 'output', 'cached', 'costUsd', 'listUsd'] as const),
  ...(['calls', 'checks', 'iterations', 'timedTrials', 'durationMs'] as const),
  ...(['cachedTrials', 'tokenTrials', 'tokens', 'listTrials', 'list'] as const),
  ...(['gradedCost', 'pricedTrials', 'pricedCost', 'pricedPassed'] as const),
]

/** Sums over the trials of one task and method. Missing trials count in `run` and `missing` only. */
export type TaskTally = SeenEpochs & { task: string } & Record<(typeof summed)[number], number>

const noSums = Object.fromEntries(summed.map((name) => [name, 0])) as Record<(typeof summed)[number], number>

/** Returns a tally without trials. */
export const emptyTally = (task: string): TaskTally => ({ ...noSums, ...{ task, upTo: 0, beyond: null } })

/** Returns true for a trial that says nothing about its method: infrastructure failed, or a person cancelled it. */
export function isMissing(record: TrialRecord): boolean {
  return record.outcome.status === 'error' || record.outcome.status === 'cancelled'
}

/** Returns the cost of a trial; null unless the price of every call is known. A trial without calls cost 0. */
export function knownCost({ spent }: TrialRecord): number | null {
  if (spent.unreportedCost > 0) return null
  return spent.costUsd ?? (spent.calls === 0 ? 0 : null)
}

/**
 * Returns the cost of a trial at list prices with nothing cached; null unless it is known for every call. Methods are
 * compared by it, because a cache hit is not an achievement of the method. For a simulated trial it equals the bill.
 */
export function knownListCost(record: TrialRecord): number | null {
  const { listCostUsd, unknownListCost, calls } = record.spent
  if (unknownListCost === undefined) return knownCost(record)
  if (unknownListCost > 0) return null
  return listCostUsd ?? (calls === 0 ? 0 : null)
}

/** Returns the known part of the list price, without unreported calls; null if nothing is known. */
export function listCostPart(record: TrialRecord): number | null {
  const { listCostUsd, unknownListCost, costUsd } = record.spent
  const part = unknownListCost === undefined ? costUsd : listCostUsd
  return knownListCost(record) ?? part ?? null
}

/** Returns the number of calls without a known list price. */
export function unlistedCalls({ spent }: TrialRecord): number {
  return spent.unknownListCost ?? spent.unreportedCost
}

/** Adds one record. Throws `UserError` if its epoch was added before. */
export function addToTally(tally: TaskTally, record: TrialRecord): void {
  addEpoch(tally, record)
  tally.run++
  if (isMissing(record)) {
    tally.missing++
    return
  }
  const { spent, passed, score } = record
  const cost = knownCost(record)
  const list = knownListCost(record)
  tally.ended++
  for (const name of ['input', 'output', 'cached', 'calls', 'checks'] as const) tally[name] += spent[name]
  tally.costUsd += spent.costUsd ?? 0
  tally.listUsd += listCostPart(record) ?? 0
  tally.iterations += record.iterations
  if (record.durationMs !== null) {
    tally.timedTrials++
    tally.durationMs += record.durationMs
  }
  if (spent.unreportedCached === undefined) tally.cachedTrials++
  if (spent.unreportedTokens === 0) {
    tally.tokenTrials++
    tally.tokens += spent.input + spent.output
  }
  if (list !== null) {
    tally.listTrials++
    tally.list += list
  }
  if (passed === null) return
  tally.graded++
  if (passed) tally.passed++
  if (score !== null) {
    tally.scored++
    tally.score += score
  }
  tally.gradedCost += cost ?? spent.costUsd ?? 0
  if (cost !== null) {
    tally.pricedTrials++
    tally.pricedCost += cost
    if (passed) tally.pricedPassed++
  }
}

/** The epochs of one task and method that have a record: all from 1 to `upTo` (0: none), and those of `beyond`. */
export interface SeenEpochs {
  upTo: number
  beyond: Set<number> | null
}

/** Adds the epoch of the record. Throws `UserError` if it is already there, since a trial must not count twice. */
export function addEpoch(seen: SeenEpochs, record: TrialRecord): void {
  const { epoch } = record
  const next = seen.upTo + 1
  if (epoch === next && seen.beyond === null) {
    seen.upTo = epoch
    return
  }
  const beyond = seen.beyond ?? new Set()
  if ((epoch > 0 && epoch < next) || beyond.has(epoch)) throw duplicateEpochError(record)
  beyond.add(epoch)
  while (beyond.delete(seen.upTo + 1)) seen.upTo++
  seen.beyond = beyond.size === 0 ? null : beyond
}

const duplicateEpochError = ({ trial, epoch, method, task }: TrialRecord) =>
  new UserError({
    where: `record ${trial}`,
    what: `epoch ${epoch} of ${method} on ${task} occurs twice`,
    fix: 'Name each run once. To compare two runs of one method, give them different labels.',
  })
