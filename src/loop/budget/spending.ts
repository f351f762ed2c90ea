import type { AskStep } from '../../schema/ledger/step.ts'
import type { Spending } from '../../schema/tokens.ts'

const nothing = {
  input: 0,
  output: 0,
  cached: 0,
  costUsd: 0,
  calls: 0,
  // What limits count beside the sums: further requests inside of calls, and estimates for bills that could not be read.
  furtherRequests: 0,
  estimatedTokens: 0,
  estimatedUsd: 0,
  checks: 0,
  unreportedTokens: 0,
  // Calls that did not report their input or output.
  unknownInput: 0,
  unknownOutput: 0,
  unreportedCost: 0,
  listCostUsd: 0,
  unknownListCost: 0,
  // Calls whose cost both the agent reported and bench computed; the sums of each.
  reportedCalls: 0,
  reportedUsd: 0,
  computedUsd: 0,
}

/** A running bill: sums of known amounts, which `finalSpending` turns into the form of the record. */
export type Bill = typeof nothing

/** Returns an empty bill. */
export const emptyBill = (): Bill => ({ ...nothing })

/** What a trial costs beside the bill of its branches. */
export interface TrialBill {
  /** What the judges used so far; undefined: nobody was asked. */
  judging?: Bill
  /** One simulated agent makes the trial's numbers simulated. */
  simulated: boolean
  /** Some replies were recorded earlier. */
  recorded: boolean
  paid: boolean
  /** Budget alerts already reported, as limit and percent. */
  reportedAlerts: Set<string>
}

/** The fields of an attempt that a bill counts. */
export type CallCost = Pick<
  AskStep,
  'tokens' | 'costUsd' | 'listCostUsd' | 'costSource' | 'reportedCostUsd' | 'estimated' | 'requests'
>

/**
 * Returns what limits count for an attempt: what was reported, or the estimate in its place. The cost is null if there is neither; tokens
 * that were not reported are 0 then. Each request of an agent program is a call.
 */
export function countedUse({ tokens: { input, output }, costUsd, estimated, requests }: CallCost) {
  const isReported = input !== null && output !== null
  const known = (input ?? 0) + (output ?? 0)
  return {
    calls: Math.max(1, requests ?? 1),
    tokens: isReported ? known : (estimated?.tokens ?? known),
    isTokensKnown: isReported || estimated !== undefined,
    costUsd: costUsd ?? estimated?.costUsd ?? null,
  }
}

/** Adds one attempt of an ask. */
export function addCall(bill: Bill, call: CallCost): void {
  const { tokens, costUsd, costSource, reportedCostUsd } = call
  const counted = countedUse(call)
  bill.calls++
  bill.furtherRequests += counted.calls - 1
  bill.estimatedTokens += counted.tokens - (tokens.input ?? 0) - (tokens.output ?? 0)
  if (costUsd === null) bill.estimatedUsd += counted.costUsd ?? 0
  if (tokens.input === null || tokens.output === null) bill.unreportedTokens++
  if (tokens.input === null) bill.unknownInput++
  if (tokens.output === null) bill.unknownOutput++
  bill.input += tokens.input ?? 0
  bill.output += tokens.output ?? 0
  bill.cached += tokens.cached ?? 0
  if (costUsd === null) bill.unreportedCost++
  else bill.costUsd += costUsd
  const list = listCostOf(call)
  if (list === null) bill.unknownListCost++
  else bill.listCostUsd += list
  // If the cost is the one that the agent reported, there is no computed cost to compare it with.
  if (reportedCostUsd === undefined || costUsd === null || costSource === 'provider') return
  bill.reportedCalls++
  bill.reportedUsd += reportedCostUsd
  bill.computedUsd += costUsd
}

/** Returns the cost of a call at list prices without caching, in US dollars; null if unknown. A call without a price list has no caching. */
export function listCostOf({
  listCostUsd,
  costUsd,
  costSource,
}: Pick<CallCost, 'listCostUsd' | 'costUsd' | 'costSource'>): number | null {
  return listCostUsd ?? (costSource === undefined ? costUsd : null)
}

const billFields = Object.keys(nothing) as (keyof Bill)[]

/** Adds the difference between two bills, such as what a branch added to the bill with which it began. */
export function addDifference(bill: Bill, later: Bill, earlier: Bill): void {
  for (const field of billFields) bill[field] += later[field] - earlier[field]
}

/** Returns the bill as it is recorded: dollars rounded to a billionth, null if no call's price is known. With `list`, also at list prices. */
export function finalSpending(bill: Bill, { list }: { list: boolean }): Spending {
  const { input, output, cached, calls, checks, unreportedTokens, unreportedCost } = bill
  const costUsd = knownSum(bill.costUsd, unreportedCost, calls)
  const spent: Spending = {
    input,
    output,
    cached,
    costUsd,
    calls,
    checks,
    unreportedTokens,
    unreportedCost,
  }
  if (!list) return spent
  spent.listCostUsd = knownSum(bill.listCostUsd, bill.unknownListCost, calls)
  spent.unknownListCost = bill.unknownListCost
  if (bill.reportedCalls > 0)
    spent.reported = {
      calls: bill.reportedCalls,
      costUsd: roundedSum(bill.reportedUsd),
      computedUsd: roundedSum(bill.computedUsd),
    }
  return spent
}

const knownSum = (usd: number, unknown: number, calls: number) =>
  calls > 0 && unknown === calls ? null : roundedSum(usd)

/**
 * Rounds a sum of decimals, such as dollars, to a billionth, since its last bits depend on the order of addition. From a million
 * on it rounds to 15 digits, the precision of a number.
 */
export const roundedSum = (value: number) =>
  Math.abs(value) < 1e6 ? Math.round(value * 1e9) / 1e9 : Number(value.toPrecision(15))
