import type { AskStep } from '../../schema/ledger/step.ts'
import type { Spent } from './limits.ts'

type Unit = 'costUsd' | 'tokens'

/** What calls in flight will probably use: each what calls of its method have used so far, on average. */
export interface Reservations {
  begin(method: string): void
  end(method: string, step: AskStep | undefined): void
  /** Calls in flight, of one method or of all. */
  inFlight(method?: string): number
  /**
   * What the calls in flight, of one method or of all, and one more of `next` will use; undefined while no call has ended, so
   * that nobody knows. Calls whose use is never reported count as nothing.
   */
  expected(unit: Unit, next: string, method?: string): number | undefined
  /** How long the longest call of this session took; ms. */
  longestCallMs(): number
}

interface Tally {
  inFlight: number
  ended: number
  sum: Record<Unit, number>
  /** Calls that reported it. */
  known: Record<Unit, number>
}

/** `past`: what calls of earlier sessions have used, by method. */
export function createReservations(past: ReadonlyMap<string, Spent>): Reservations {
  const tallies = new Map<string, Tally>()
  for (const [method, spent] of past) tallies.set(method, tallyOf(spent))
  let longest = 0
  const tally = (method: string): Tally => {
    const known = tallies.get(method)
    if (known) return known
    const fresh = tallyOf(undefined)
    tallies.set(method, fresh)
    return fresh
  }
  const usual = (unit: Unit, method: string): number | undefined => {
    const own = tally(method)
    if (own.known[unit] > 0) return own.sum[unit] / own.known[unit]
    const all = [...tallies.values()]
    const known = all.reduce((sum, { known }) => sum + known[unit], 0)
    if (known > 0) return all.reduce((total, { sum }) => total + sum[unit], 0) / known
    return all.some(({ ended }) => ended > 0) ? 0 : undefined
  }
  const counted = (method: string | undefined) =>
    [...tallies].filter(([name]) => method === undefined || name === method)

  return {
    begin: (method) => void tally(method).inFlight++,
    end(method, step) {
      const own = tally(method)
      own.inFlight--
      own.ended++
      if (!step) return
      longest = Math.max(longest, step.durationMs)
      const { tokens, costUsd } = step
      if (costUsd !== null) add(own, 'costUsd', costUsd)
      if (tokens.input !== null && tokens.output !== null) add(own, 'tokens', tokens.input + tokens.output)
    },
    inFlight: (method) => counted(method).reduce((sum, [, { inFlight }]) => sum + inFlight, 0),
    expected(unit, next, method) {
      let sum = usual(unit, next)
      if (sum === undefined) return undefined
      for (const [name, { inFlight }] of counted(method)) sum += inFlight * (usual(unit, name) ?? 0)
      return sum
    },
    longestCallMs: () => longest,
  }
}

function tallyOf(spent: Spent | undefined): Tally {
  if (!spent)
    return { inFlight: 0, ended: 0, sum: { costUsd: 0, tokens: 0 }, known: { costUsd: 0, tokens: 0 } }
  const { calls, costUsd, tokens, unreportedCost, unreportedTokens } = spent
  return {
    inFlight: 0,
    ended: calls,
    sum: { costUsd, tokens },
    known: { costUsd: calls - unreportedCost, tokens: calls - unreportedTokens },
  }
}

function add(tally: Tally, unit: Unit, amount: number): void {
  tally.sum[unit] += amount
  tally.known[unit]++
}
