import { normal, type Random, seededRandom, startLabel } from '../random.ts'
import type { Profile } from '../schema/profile.ts'
import type { KindOfWork } from '../strategy.ts'
import type { AgentRequest, PastAsk } from './agent.ts'

/** Logistic function: the probability of so many logits. */
export const probability = (logits: number) => 1 / (1 + Math.exp(-logits))

/** The chance of everything in one reply: its own numbers, and a decider that is correlated with other calls'. */
export interface Chance {
  random: Random
  /** True with probability `p`. All calls decide alike, as far as the profile's correlation goes. */
  decide(p: number): boolean
}

/** Ends the label of nearly every call. */
const firstAttempt = '|1'

/** What is the same for all calls of one method on one task. */
export interface BehaviourModel {
  chance(request: AgentRequest): Chance
  /** Probability that a candidate is right, before it is known what stands in the workspace. */
  rightProbability(request: AgentRequest, difficulty: number | undefined, promptTokens: number): number
}

/** The behaviour of one profile as functions of requests. What it remembers is only what it could compute again. */
export function createBehaviour(profile: Profile): BehaviourModel {
  const interactions = new Map<string, number>()
  let last = { seed: Number.NaN, task: '', method: '', value: 0 }
  const interactionOf = ({ seed, task, method }: AgentRequest['trial']): number => {
    // Trials of a cell often come one after the other, and to look a label up costs as much as to make it.
    if (seed === last.seed && task === last.task && method === last.method) return last.value
    const label = `${seed}|${task}|${method}`
    let value = interactions.get(label)
    if (value === undefined) {
      // Bounded, since a run may have any number of tasks.
      if (interactions.size >= 1_000) interactions.clear()
      value = normal(seededRandom(label))
      interactions.set(label, value)
    }
    last = { seed, task, method, value }
    return value
  }
  let lastStart = { seed: Number.NaN, task: '', start: startLabel('') }
  const cellStart = ({ seed, task }: AgentRequest['trial']) => {
    if (seed !== lastStart.seed || task !== lastStart.task)
      lastStart = { seed, task, start: startLabel(`${seed}|${task}|`) }
    return lastStart.start
  }
  const common = Math.sqrt(profile.correlation)
  const own = Math.sqrt(1 - profile.correlation)

  return {
    chance({ trial, attempt, work }) {
      const epoch = startLabel(`${trial.epoch}|`, cellStart(trial))
      const again = trial.rerun > 0 ? `|${trial.rerun}` : ''
      // Part by part: V8 would put a text of 13 characters or more together anew before it is read.
      const asked = startLabel(trial.key, startLabel(`${trial.method}|`, epoch))
      const random = seededRandom(attempt === 1 && again === '' ? firstAttempt : `|${attempt}${again}`, asked)
      const alone = normal(random)
      let latent: number | undefined
      return {
        random,
        decide(p) {
          if (p <= 0 || p >= 1) return p > 0
          // One normal number per call, half of it shared: uniform by itself, so that p is exact, yet correlated.
          latent ??= normalShare(
            common === 0 ? alone : common * normal(seededRandom(work, epoch)) + own * alone,
          )
          return latent < p
        },
      }
    },
    rightProbability({ trial, history }, difficulty, promptTokens) {
      const { interaction, context, feedback, effects, skills } = profile
      let logits = skills.produce - profile.difficulty.weight * (difficulty ?? profile.difficulty.default)
      if (interaction > 0) {
        logits += interaction * interactionOf(trial)
      }
      logits += effects[trial.method] ?? effects[trial.strategy] ?? 0
      logits += feedback.gain * Math.min(feedbackRounds(history), feedback.maxRounds)
      logits -= (context.lossPerThousand * Math.max(0, promptTokens - context.threshold)) / 1000
      return probability(logits)
    },
  }
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
export function countOf(history: readonly PastAsk[], work: KindOfWork): number {
  let count = 0
  for (const past of history) if (past.work === work) count++
  return count
}

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
