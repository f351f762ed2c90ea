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
