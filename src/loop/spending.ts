import type { Spending, Tokens } from '../schema/tokens.ts'

/** A running bill. `costUsd` is the sum of what is known; `finalSpending` turns "nothing known" into null. */
export type Bill = { -readonly [Field in keyof Spending]: Field extends 'costUsd' ? number : Spending[Field] }

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
  }
}

/** Adds one attempt of an ask. */
export function addCall(bill: Bill, tokens: Tokens, costUsd: number | null): void {
  bill.calls++
  if (tokens.input === null || tokens.output === null) bill.unreportedTokens++
  bill.input += tokens.input ?? 0
  bill.output += tokens.output ?? 0
  bill.cached += tokens.cached ?? 0
  if (costUsd === null) bill.unreportedCost++
  else bill.costUsd += costUsd
}

/** Adds what `later` holds beyond `earlier`: a branch's own part of the bill that it began with. */
export function addDifference(bill: Bill, later: Bill, earlier: Bill): void {
  for (const field of Object.keys(bill) as (keyof Bill)[]) bill[field] += later[field] - earlier[field]
}

/** The bill as recorded: dollars rounded to a billionth, null when no call's price is known. */
export function finalSpending(bill: Bill): Spending {
  const unknown = bill.calls > 0 && bill.unreportedCost === bill.calls
  const { input, output, cached, calls, checks, unreportedTokens, unreportedCost } = bill
  const costUsd = unknown ? null : Math.round(bill.costUsd * 1e9) / 1e9
  return { input, output, cached, costUsd, calls, checks, unreportedTokens, unreportedCost }
}
