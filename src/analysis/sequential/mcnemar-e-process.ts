/** Evidence against "A and B solve tasks equally often" that may be looked at after every task. */
interface EProcess {
  /** Now, and at its greatest. */
  eValue: number
  eMax: number
  /** Valid at every look and for ever: min(1, 1 / eMax). */
  pAnytime: number
  /** The first task, from 1, at which e reached 1 / alpha; null: not yet. */
  stoppedAt: number | null
}

/**
 * Each outcome is a task with one trial of either method, in random order: 1 only A solved it, -1 only B, 0 no
 * difference. Mixture over Beta(prior, prior) of the chance that A wins a discordant task, as a product of predictive
 * probabilities (Howard et al. 2021); 1 is the uniform prior.
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
    // A product that should be 20 may come out a hair below.
    if (stoppedAt === null && eValue * alpha >= 1 - 1e-12) stoppedAt = index + 1
  }
  return { eValue, eMax, pAnytime: Math.min(1, 1 / eMax), stoppedAt }
}
