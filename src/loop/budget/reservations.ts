import { valueAt } from '../../base/grouping.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import type { Spent } from './limits.ts'
import { countedUse } from './spending.ts'

type Unit = 'costUsd' | 'tokens'

/** Estimates the use of calls in flight: each is expected to use the average of its method's earlier calls. */
interface Reservations {
  begin(method: string): void
  /** Counts a part of a call's use while it runs; negative when it ends and its whole use is counted. */
  pass(method: string, use: Record<Unit, number>): void
  end(method: string, step: AskStep | undefined): void
  setAside(method: string, isAside: boolean): void
  /** Number of calls in flight, of one method or of all. */
  inFlight(method?: string): number
  /**
   * Returns the expected use of all calls in flight, of one method or of all, plus one call of the method `next`. Undefined if
   * no call has ended yet. If no call reports its use, the expected use is 0.
   */
  expected(unit: Unit, next: string, method?: string): number | undefined
  /** Duration of the longest call of this session; ms. */
  longestCallMs(): number
}

interface Tally {
  inFlight: number
  /** What calls in flight have used so far. */
  passed: Record<Unit, number>
  ended: number
  sum: Record<Unit, number>
  /** Number of calls that reported their use. */
  known: Record<Unit, number>
}

/** Creates reservations. `earlier` is the use of calls of earlier sessions, by method. */
export function createReservations(earlier: ReadonlyMap<string, Spent>): Reservations {
  const tallies = new Map<string, Tally>()
  for (const [method, spent] of earlier) tallies.set(method, tallyOf(spent))
  let longest = 0
  const tally = (method: string) => valueAt(tallies, method, () => tallyOf(undefined))
  const average = (unit: Unit, method: string): number | undefined => {
    const own = tally(method)
    if (own.known[unit] > 0) return own.sum[unit] / own.known[unit]
    const all = [...tallies.values()]
    const known = all.reduce((sum, { known }) => sum + known[unit], 0)
    if (known > 0) return all.reduce((total, { sum }) => total + sum[unit], 0) / known
    return all.some(({ ended }) => ended > 0) ? 0 : undefined
  }
  const talliesOf = (method: string | undefined) =>
    [...tallies].filter(([name]) => method === undefined || name === method)

  return {
    begin: (method) => void tally(method).inFlight++,
    pass(method, use) {
      const { passed } = tally(method)
      for (const unit of ['costUsd', 'tokens'] as const) passed[unit] += use[unit]
    },
    end(method, step) {
      const own = tally(method)
      own.inFlight--
      own.ended++
      if (!step) return
      longest = Math.max(longest, step.durationMs)
      const { tokens, costUsd, isTokensKnown } = countedUse(step)
      if (costUsd !== null) add(own, 'costUsd', costUsd)
      if (isTokensKnown) add(own, 'tokens', tokens)
    },
    setAside(method, isAside) {
      tally(method).inFlight += isAside ? -1 : 1
    },
    inFlight: (method) => talliesOf(method).reduce((sum, [, { inFlight }]) => sum + inFlight, 0),
    expected(unit, next, method) {
      let sum = average(unit, next)
      if (sum === undefined) return undefined
      for (const [name, { inFlight, passed }] of talliesOf(method))
        sum += Math.max(0, inFlight * (average(unit, name) ?? 0) - passed[unit])
      return sum
    },
    longestCallMs: () => longest,
  }
}

function tallyOf(spent: Spent | undefined): Tally {
  const passed = { costUsd: 0, tokens: 0 }
  if (!spent)
    return { inFlight: 0, passed, ended: 0, sum: { costUsd: 0, tokens: 0 }, known: { costUsd: 0, tokens: 0 } }
  const { costUsd, tokens, unreportedCost, unreportedTokens } = spent
  const calls = spent.calls - spent.furtherRequests
  return {
    inFlight: 0,
    passed,
    ended: calls,
    sum: { costUsd, tokens },
    known: { costUsd: calls - unreportedCost, tokens: calls - unreportedTokens },
  }
}

function add(tally: Tally, unit: Unit, amount: number): void {
  tally.sum[unit] += amount
  tally.known[unit]++
}
