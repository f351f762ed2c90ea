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
