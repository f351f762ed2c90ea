import { valueAt } from '../../base/grouping.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import type { Spent } from './limits.ts'
import { countedUse } from './spending.ts'

type Unit = 'costUsd' | 'tokens'

/** Estimates the use of calls in flight: each is expected to use the average of its method's earlier calls. */
export interface Reservations {
  begin(method: string): void
  /** Counts a part of a call's use while it runs; negative when it ends and its whole use is counted. */
  pass(method: string, use: Record<Unit, number>): void
  end(method: string, step: AskStep | undefined): void
  setAside(method: string, isAside: boolean): void
  /** Number of calls in flight, of one method or of all. */
  inFlight(method?: string): number
  /**
   * Returns the expected use of all calls in flight, of one method or of all, plus one call of the method `next`, if there is one.
   * Undefined if no call has ended yet. If no call reports its use, the expected use is 0.
   */
  expected(unit: Unit, next: string | undefined, method?: string): number | undefined
  /** Returns the average use of the method's calls, else of all calls; undefined if no call has ended yet, 0 if none reports its use. */
  average(unit: Unit, method: string): number | undefined
  /** Duration of the longest call of this session; ms. */
  longestCallMs(): number
}

/** What calls that have ended used, by method. */
export type CallMemory = Map<
  string,
  { ended: number; sum: Record<Unit, number>; known: Record<Unit, number> }
>

/** Calls in flight, and what they have used so far. */
interface Flight {
  calls: number
  passed: Record<Unit, number>
}

/** Creates reservations. `earlier` is the use of calls of earlier sessions, by method; `memory` that of other run folders, and is continued. */
export function createReservations(
  earlier: ReadonlyMap<string, Spent>,
  memory: CallMemory = new Map(),
): Reservations {
  const flights = new Map<string, Flight>()
  for (const [method, spent] of earlier) addSpent(pastOf(memory, method), spent)
  let longest = 0
  const flightOf = (method: string) =>
    valueAt(flights, method, () => ({ calls: 0, passed: { costUsd: 0, tokens: 0 } }))
  const average = (unit: Unit, method: string): number | undefined => {
    const own = pastOf(memory, method)
    if (own.known[unit] > 0) return own.sum[unit] / own.known[unit]
    const all = [...memory.values()]
    const known = all.reduce((sum, { known }) => sum + known[unit], 0)
    if (known > 0) return all.reduce((total, { sum }) => total + sum[unit], 0) / known
    return all.some(({ ended }) => ended > 0) ? 0 : undefined
  }
  const flightsOf = (method: string | undefined) =>
    [...flights].filter(([name]) => method === undefined || name === method)

  return {
    begin: (method) => void flightOf(method).calls++,
    pass(method, use) {
      const { passed } = flightOf(method)
      for (const unit of ['costUsd', 'tokens'] as const) passed[unit] += use[unit]
    },
    end(method, step) {
      const past = pastOf(memory, method)
      flightOf(method).calls--
      past.ended++
      if (!step) return
      longest = Math.max(longest, step.durationMs)
      const { tokens, costUsd, isTokensKnown } = countedUse(step)
      if (costUsd !== null) add(past, 'costUsd', costUsd)
      if (isTokensKnown) add(past, 'tokens', tokens)
    },
    setAside(method, isAside) {
      flightOf(method).calls += isAside ? -1 : 1
    },
    inFlight: (method) => flightsOf(method).reduce((sum, [, { calls }]) => sum + calls, 0),
    expected(unit, next, method) {
      let sum = next === undefined ? 0 : average(unit, next)
      if (sum === undefined) return undefined
      for (const [name, { calls, passed }] of flightsOf(method))
        sum += Math.max(0, calls * (average(unit, name) ?? 0) - passed[unit])
      return sum
    },
    average,
    longestCallMs: () => longest,
  }
}

type Past = CallMemory extends Map<string, infer Of> ? Of : never

const pastOf = (memory: CallMemory, method: string): Past =>
  valueAt(memory, method, () => ({
    ended: 0,
    sum: { costUsd: 0, tokens: 0 },
    known: { costUsd: 0, tokens: 0 },
  }))

function addSpent(past: Past, { costUsd, tokens, unreportedCost, unreportedTokens, ...spent }: Spent): void {
  const calls = spent.calls - spent.furtherRequests
  past.ended += calls
  past.sum.costUsd += costUsd
  past.sum.tokens += tokens
  past.known.costUsd += calls - unreportedCost
  past.known.tokens += calls - unreportedTokens
}

function add(past: Past, unit: Unit, amount: number): void {
  past.sum[unit] += amount
  past.known[unit]++
}
