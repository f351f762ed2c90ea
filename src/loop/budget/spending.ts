import type { AskStep } from '../../schema/ledger/step.ts'
import type { Spending } from '../../schema/tokens.ts'

/** A running bill: sums of what is known, which `finalSpending` turns into what is told. */
export interface Bill {
  input: number
  output: number
  cached: number
  costUsd: number
  calls: number
  checks: number
  unreportedTokens: number
  unreportedCost: number
  listCostUsd: number
  unknownListCost: number
  /** Calls whose agent said what they cost, what it said, and what we computed. */
  reportedCalls: number
  reportedUsd: number
  computedUsd: number
}

/** A bill on which nothing stands. */
export function emptyBill(): Bill {
  return {
    input: 0,
    output: 0,
    cached: 0,
    costUsd: 0,
    calls: 0,
    checks: 0,
    unreportedTokens: 0,
    unreportedCost: 0,
    listCostUsd: 0,
    unknownListCost: 0,
    reportedCalls: 0,
    reportedUsd: 0,
    computedUsd: 0,
  }
}

/** What of an attempt stands on a bill. */
export type CallCost = Pick<AskStep, 'tokens' | 'costUsd' | 'listCostUsd' | 'costSource' | 'reportedCostUsd'>

/** Adds one attempt of an ask. */
export function addCall(bill: Bill, call: CallCost): void {
  const { tokens, costUsd, costSource, reportedCostUsd } = call
  bill.calls++
  if (tokens.input === null || tokens.output === null) bill.unreportedTokens++
  bill.input += tokens.input ?? 0
  bill.output += tokens.output ?? 0
  bill.cached += tokens.cached ?? 0
  if (costUsd === null) bill.unreportedCost++
  else bill.costUsd += costUsd
  const list = listCostOf(call)
  if (list === null) bill.unknownListCost++
  else bill.listCostUsd += list
  // Where the agent's word stands in for ours, there is nothing to hold it against.
  if (reportedCostUsd === undefined || costUsd === null || costSource === 'provider') return
  bill.reportedCalls++
  bill.reportedUsd += reportedCostUsd
  bill.computedUsd += costUsd
}

/** A call at the uncached list price, US dollars; null where nobody knows it. What no price list billed was not cached either. */
export function listCostOf({
  listCostUsd,
  costUsd,
  costSource,
}: Pick<CallCost, 'listCostUsd' | 'costUsd' | 'costSource'>): number | null {
  return listCostUsd ?? (costSource === undefined ? costUsd : null)
}

/** Adds what `later` holds beyond `earlier`: a branch's own part of the bill that it began with. */
export function addDifference(bill: Bill, later: Bill, earlier: Bill): void {
  for (const field of Object.keys(bill) as (keyof Bill)[]) bill[field] += later[field] - earlier[field]
}

/** The bill as recorded: dollars rounded to a billionth, null when no call's price is known. With `list` also at list prices. */
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
 * A sum of decimals, such as dollars, to a billionth: its last bits differ by the order in which they were added. From a million
 * on to 15 digits, which is all that such a number holds.
 */
export const roundedSum = (value: number) =>
  Math.abs(value) < 1e6 ? Math.round(value * 1e9) / 1e9 : Number(value.toPrecision(15))
