import { normal, type Random, seededRandom } from '../../base/random.ts'
import type { Profile } from '../../schema/agent/profile.ts'
import type { KindOfWork } from '../../strategy.ts'
import type { AgentRequest, PastAsk } from '../agent.ts'

/** Logistic function: the probability of so many logits. */
export const probability = (logits: number) => 1 / (1 + Math.exp(-logits))

/** The chance of everything in one reply: its own numbers, and a decider that is correlated with other calls'. */
export interface Chance {
  random: Random
  /** True with probability `p`. All calls decide alike, as far as the profile's correlation goes. */
  decide(p: number): boolean
}

/** The chance of a call: a function of the run's seed, the trial and the call's place in it. */
export function chanceOf(profile: Profile, { trial, attempt, work }: AgentRequest): Chance {
  const epoch = `${trial.seed}|${trial.task}|${trial.epoch}|`
  const again = trial.rerun > 0 ? `|${trial.rerun}` : ''
  const random = seededRandom(`${epoch}${trial.method}|${trial.key}|${attempt}${again}`)
  // One normal number per call, a part of it shared: uniform by itself, so that p is exact, yet correlated.
  const own = Math.sqrt(1 - profile.correlation) * normal(random)
  const latent = normalShare(Math.sqrt(profile.correlation) * normal(seededRandom(epoch + work)) + own)
  return { random, decide: (p) => (p <= 0 || p >= 1 ? p > 0 : latent < p) }
}

/** Probability that a candidate is right, before it is known what stands in the workspace. */
export function rightProbability(
  { interaction, difficulty, context, feedback, effects, skills }: Profile,
  { trial, history }: AgentRequest,
  taskDifficulty: number | undefined,
  promptTokens: number,
): number {
  let logits = skills.produce - difficulty.weight * (taskDifficulty ?? difficulty.default)
  logits += interaction * normal(seededRandom(`${trial.seed}|${trial.task}|${trial.method}`))
  logits += effects[trial.method] ?? effects[trial.strategy] ?? 0
  logits += feedback.gain * Math.min(feedbackRounds(history), feedback.maxRounds)
  logits -= (context.lossPerThousand * Math.max(0, promptTokens - context.threshold)) / 1000
  return probability(logits)
}

/** How many candidates of this branch a judge has spoken after. */
function feedbackRounds(history: readonly PastAsk[]): number {
  let rounds = 0
  let open = false
  for (const { work } of history) {
    if (work === 'produce') open = true
    else if (work === 'judge' && open) {
      rounds++
      open = false
    }
  }
  return rounds
}

/** Asks of one kind of work in this branch so far. */
export const countOf = (history: readonly PastAsk[], work: KindOfWork) =>
  history.filter((past) => past.work === work).length

/** Share of the standard normal distribution below z (Abramowitz & Stegun 26.2.17, error below 7.5e-8). */
function normalShare(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const tail =
    0.3989422804014327 *
    Math.exp((-z * z) / 2) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return z >= 0 ? 1 - tail : tail
}
