import type { KindOfWork } from '../../ask.ts'
import { normal, type Random, seededRandom } from '../../base/random.ts'
import type { Profile } from '../../schema/agent/profile.ts'
import { effectKey } from '../../schema/ledger/turn-key.ts'
import { countsChecks, quotesContent } from '../../schema/tool/tool-call.ts'
import type { AgentRequest, PastAsk, ToolTurn } from '../agent.ts'

/** The logistic function: turns logits into a probability. */
export const probability = (logits: number) => 1 / (1 + Math.exp(-logits))

/** The random numbers of one reply, and decisions that are correlated with those of other calls. */
export interface Chance {
  random: Random
  /** Returns true with probability `p`. Calls of one kind of work decide alike, to the degree of the profile's correlation. */
  decide(p: number): boolean
}

/** Returns the chance of a call, which depends only on the run's seed, the trial and the call's position in it. */
export function chanceOf(profile: Profile, request: AgentRequest): Chance {
  const { trial, attempt, work, tools } = request
  const epoch = `${trial.seed}|${trial.task}|${trial.epoch}|`
  const earlier = tools?.turns.length ?? 0
  const random = seededRandom(seedOf(request, attempt) + (earlier === 0 ? '' : `|${earlier + 1}`))
  const first = normal(random)
  // All turns of an ask decide alike: work that was right when it was written is right when it is handed in.
  const alike = tools ? normal(seededRandom(seedOf(request, 1))) : first
  // Each call has one normal number of which a part is shared. Alone it is exact for any p, together they are correlated.
  const own = Math.sqrt(1 - profile.correlation) * alike
  const latent = normalShare(Math.sqrt(profile.correlation) * normal(seededRandom(epoch + work)) + own)
  return { random, decide: (p) => (p <= 0 || p >= 1 ? p > 0 : latent < p) }
}

/** Returns the seed of an ask, and of all its turns. */
export function seedOf({ trial, tools }: AgentRequest, attempt: number): string {
  const { seed, task, epoch, method, key, rerun } = trial
  const ask = tools ? effectKey(key) : key
  return `${seed}|${task}|${epoch}|${method}|${ask}|${attempt}${rerun > 0 ? `|${rerun}` : ''}`
}

/** Returns the probability that a submission is right, regardless of the current work. */
export function rightProbability(
  { interaction, difficulty, context, feedback, effects, skills, tools: using }: Profile,
  { trial, history, tools }: AgentRequest,
  taskDifficulty: number | undefined,
  promptTokens: number,
): number {
  let logits = skills.produce - difficulty.weight * (taskDifficulty ?? difficulty.default)
  logits += interaction * normal(seededRandom(`${trial.seed}|${trial.task}|${trial.method}`))
  logits += effects[trial.method] ?? effects[trial.strategy] ?? 0
  logits += feedback.gain * Math.min(feedbackRounds(history), feedback.maxRounds)
  if (using && tools) logits += toolGain(using.gain, tools.turns)
  logits -= (context.lossPerThousand * Math.max(0, promptTokens - context.threshold)) / 1000
  return probability(logits)
}

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

/** Counts the asks of one kind of work in this branch. */
export const countOf = (history: readonly PastAsk[], work: KindOfWork) =>
  history.filter((earlier) => earlier.work === work).length

/** The cumulative standard normal distribution at z (Abramowitz & Stegun 26.2.17, error below 7.5e-8). */
function normalShare(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const tail =
    0.3989422804014327 *
    Math.exp((-z * z) / 2) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return z >= 0 ? 1 - tail : tail
}

type Gain = NonNullable<Profile['tools']>['gain']

function toolGain(gain: Gain, turns: readonly ToolTurn[]): number {
  const used = turns.flatMap(({ results }) => results.filter(gives).map(({ name }) => keyOf(gain, name)))
  return [...new Set(used)].reduce((sum, key) => sum + (gain[key] ?? 0), 0)
}

const substance: Readonly<Record<string, (text: string) => boolean>> = {
  memory_recall: quotesContent,
  check: countsChecks,
}

const gives = ({ name, text, isError }: ToolTurn['results'][number]) =>
  !isError && (!Object.hasOwn(substance, name) || substance[name]?.(text) === true)

function keyOf(gain: Gain, name: string): string {
  if (Object.hasOwn(gain, name)) return name
  return name.includes('__') ? 'mcp' : name
}
