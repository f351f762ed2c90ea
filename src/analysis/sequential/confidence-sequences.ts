import { mean, variance } from '../numeric/moments.ts'
import type { Refusal } from '../refusal.ts'
import type { Interval } from '../tasks/interval.ts'

/**
 * Computes the confidence sequence of a mean at the last value: approximately valid at every look from about 30 values on.
 * Normal mixture of Waudby-Smith et al. 2024 (Annals of Statistics), theorem 2.2. `rho` is fixed before the first look, see
 * `rhoFor`. No limits for one value or equal values.
 */
export function asymptoticConfidenceSequence(
  values: readonly number[],
  alpha: number,
  rho: number,
): Interval & { refusal: Refusal | null } {
  const estimate = mean(values)
  const spread = variance(values)
  const none = { estimate, lower: null, upper: null }
  if (estimate === null) return { ...none, refusal: 'no-task' }
  if (spread === null) return { ...none, refusal: 'one-task' }
  if (spread === 0) return { ...none, refusal: 'no-spread' }
  const n = values.length
  const mixed = n * rho ** 2 + 1
  const half = Math.sqrt((spread * mixed * Math.log(mixed / alpha ** 2)) / (n * rho) ** 2)
  return { estimate, lower: estimate - half, upper: estimate + half, refusal: null }
}

/** Returns the smallest alpha at which the sequence excludes 0 at the last value: the same formula solved for alpha; at most 1. */
export function asymptoticP(values: readonly number[], rho: number): number {
  const estimate = mean(values)
  const spread = variance(values)
  if (estimate === null || spread === null || spread === 0) return 1
  const n = values.length
  const mixed = n * rho ** 2 + 1
  return Math.min(1, Math.sqrt(mixed) * Math.exp(-((estimate * n * rho) ** 2) / (2 * spread * mixed)))
}

/** Returns the `rho` that makes the sequence narrowest at `n` values, the hoped-for stop (same source). */
export function rhoFor(n: number, alpha: number): number {
  const log = -2 * Math.log(alpha)
  return Math.sqrt((log + Math.log(1 + log)) / n)
}

/**
 * Computes the confidence sequence of the mean of values in [0, 1], at the last value: valid at every look, and wide.
 * Predictable plug-in empirical Bernstein of Waudby-Smith and Ramdas 2024, theorem 2, with bets of at most 1/2 and no running
 * intersection. `center` is null without values.
 */
export function empiricalBernsteinSequence(
  values: readonly number[],
  alpha: number,
): { center: number | null; lower: number; upper: number } {
  if (values.length === 0) return { center: null, lower: 0, upper: 1 }
  const log = Math.log(2 / alpha)
  let total = 0
  let squares = 0
  let mean = 0.5
  let variance = 0.25
  const bets = { sum: 0, weighted: 0, cost: 0 }
  for (const [index, value] of values.entries()) {
    const t = index + 1
    const bet = Math.min(0.5, Math.sqrt((2 * log) / (variance * t * Math.log1p(t))))
    bets.sum += bet
    bets.weighted += bet * value
    bets.cost += (value - mean) ** 2 * (-Math.log1p(-bet) - bet)
    total += value
    mean = (0.5 + total) / (t + 1)
    squares += (value - mean) ** 2
    variance = (0.25 + squares) / (t + 1)
  }
  const center = bets.weighted / bets.sum
  const half = (log + bets.cost) / bets.sum
  return { center, lower: Math.max(0, center - half), upper: Math.min(1, center + half) }
}

/** Evidence against "A and B solve tasks equally often" that stays valid at every look. */
interface EProcess {
  /** The current value, and the largest so far. */
  eValue: number
  eMax: number
  /** p-value that is valid at every look: min(1, 1 / eMax). */
  pAnytime: number
  /** The first task, from 1, at which e reached 1 / alpha; null: not yet. */
  stoppedAt: number | null
}

/**
 * Computes the e-process. Each outcome is a task with one trial of each method, in random order: 1 if only A solved it, -1 if
 * only B did, 0 for no difference. It is the mixture over Beta(prior, prior) of the chance that A wins a discordant task, as
 * a product of predictive probabilities (Howard et al. 2021); 1 is the uniform prior.
 */
export function mcnemarEProcess(outcomes: readonly number[], prior: number, alpha: number): EProcess {
  const wins = { a: 0, b: 0 }
  let eValue = 1
  let eMax = 1
  let stoppedAt: number | null = null
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome === 0) continue
    const winner = outcome > 0 ? 'a' : 'b'
    eValue *= (2 * (wins[winner] + prior)) / (wins.a + wins.b + 2 * prior)
    wins[winner]++
    eMax = Math.max(eMax, eValue)
    // Rounding may leave a product of 20 slightly below 20.
    if (stoppedAt === null && eValue * alpha >= 1 - 1e-12) stoppedAt = index + 1
  }
  return { eValue, eMax, pAnytime: Math.min(1, 1 / eMax), stoppedAt }
}
