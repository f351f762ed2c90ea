import type { KindOfWork } from '../../ask.ts'
import { normal, type Random, seededRandom } from '../../base/random.ts'
import type { Profile } from '../../schema/agent/profile.ts'
import { effectKey } from '../../schema/ledger/turn-key.ts'
import { countsChecks, quotesContent } from '../../schema/tool/tool-call.ts'
import type { CheckResult } from '../../strategy.ts'
import type { AgentRequest, PastAsk, ToolTurn } from '../agent.ts'
import { assessWork, type Submissions, shownQuality } from './submissions.ts'

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

/** The lowest numeric score that counts as approval. */
const approvalSignal = 0.8

/** The quality of wrong work of which nothing else is known. */
const someWork = 8 / 15

/** The content of a judge's reply, independent of its format. */
export interface Verdict {
  approved: boolean
  /** How good the work looks, 0 to 1; at least `approvalSignal` exactly when approved. */
  signal: number
  /** One line for each thing that is wrong; empty when approved. */
  findings: readonly string[]
}

/**
 * Returns a simulated judge's verdict: whether the work that its prompt shows is right, if nothing was made in its own branch;
 * else the real result of the visible checks, or without checks whether the work is right. Inverted at the profile's error rates. A scripted workload counts submissions instead.
 */
export async function judge(
  profile: Profile,
  request: AgentRequest,
  submissions: Submissions,
  chance: Chance,
): Promise<Verdict> {
  if (profile.script) return scriptedVerdict(profile.script, request)
  const checks = await request.workspace.peek()
  const shown =
    countOf(request.history, 'produce') === 0 ? shownQuality(submissions, request.prompt) : undefined
  const good =
    shown !== undefined
      ? shown === 1
      : checks.status === 'none'
        ? isRight(request, submissions, chance)
        : checks.status === 'passed'
  const { falseAccept, falseReject, noise } = profile.verdicts
  const wrong = chance.decide(errorRate(good ? falseReject : falseAccept, profile.skills.judge))
  const shift = noise > 0 ? noise * normal(chance.random) : 0
  const tried = checks.total > 0 ? checks.passed / checks.total : undefined
  const quality = good ? 1 : (shown ?? tried ?? (countOf(request.history, 'produce') > 0 ? someWork : 0))
  const signal = signalOf(quality, wrong, shift)
  if (good !== wrong) return { approved: true, signal, findings: [] }
  if (good) return { approved: false, signal, findings: ['An edge case of the task is not covered.'] }
  return { approved: false, signal, findings: findingsOf(checks) }
}

/** Returns how good work of this quality looks, or what is taken for the opposite of what it is. */
export function signalOf(quality: number, isMistaken: boolean, shift: number): number {
  if ((quality === 1) !== isMistaken) return between(approvalSignal, 1 - Math.abs(shift), 1)
  return rejected((quality === 1 ? 0.7 : 0.75 * quality) + shift)
}

/** Whether a judge's data approves: by a boolean, else by a score, else by an empty list. Undefined if it is unclear. */
export function approves(data: unknown): boolean | undefined {
  if (typeof data === 'boolean') return data
  if (typeof data === 'number') return data <= 1 ? data >= approvalSignal : undefined
  if (Array.isArray(data)) return data.length === 0
  if (data === null || typeof data !== 'object') return undefined
  const fields = Object.values(data)
  for (const kind of ['boolean', 'number', 'object']) {
    for (const field of fields) {
      const verdict: boolean | undefined = typeof field === kind ? approves(field) : undefined
      if (verdict !== undefined) return verdict
    }
  }
  return undefined
}

/** Whether a judge's earlier ask approved. */
export const hasApproved = ({ data }: PastAsk): boolean => approves(data) ?? false

function isRight(request: AgentRequest, submissions: Submissions, chance: Chance): boolean {
  if (countOf(request.history, 'produce') === 0) return false
  const found = assessWork(submissions, request)
  // Nothing is known of work that is neither the reference nor a mutant.
  return found === 'unknown' ? chance.random() < 0.5 : found === 'right'
}

export function errorRate(rate: number, skill: number): number {
  return skill === 0 || rate === 0 || rate === 1 ? rate : probability(Math.log(rate / (1 - rate)) - skill)
}

function findingsOf({ status, passed, total, output }: CheckResult): string[] {
  if (status === 'none') return ['The work does not do what the task asks.']
  const lines = output.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim().slice(0, 160)]))
  const count = Math.min(20, Math.max(1, total - passed))
  return Array.from(
    { length: count },
    (_, i) => lines[i] ?? `A visible check fails (${passed} of ${total} pass).`,
  )
}

/** Counts submissions. A round lies between two verdicts of the judge that is listed last. */
function scriptedVerdict(
  { producesPerRound, rounds }: NonNullable<Profile['script']>,
  { role, roles, trial, history }: AgentRequest,
): Verdict {
  const last = Object.keys(roles).findLast((name) => roles[name] === 'judge')
  let all = 0
  let inRound = 0
  for (const earlier of history) {
    if (earlier.work === 'produce') {
      all++
      inRound++
    } else if (earlier.work === 'judge' && earlier.role === last && role !== last) inRound = 0
  }
  const target = role === last ? scriptedTotal({ producesPerRound, rounds }, trial.epoch) : producesPerRound
  const done = role === last ? all : inRound
  if (done >= target) return { approved: true, signal: 1, findings: [] }
  const findings = Array.from(
    { length: Math.min(20, target - done) },
    (_, i) => `Requirement R${i + 1} is not met.`,
  )
  return { approved: false, signal: rejected((0.75 * done) / target), findings }
}

/** Returns the number of submissions after which a scripted workload is done. */
export function scriptedTotal(
  { producesPerRound, rounds }: NonNullable<Profile['script']>,
  epoch: number,
): number {
  return producesPerRound * (rounds[(epoch - 1) % rounds.length] as number)
}

const rejected = (signal: number) => between(0, signal, approvalSignal - 0.01)

function between(low: number, value: number, high: number): number {
  return Math.round(Math.min(high, Math.max(low, value)) * 100) / 100
}

/** Whether a shape asks how a workflow goes on: one of several objects that a field `decision` tells apart. */
export function isDecision(schema: Readonly<Record<string, unknown>>): boolean {
  const branches = (schema.oneOf ?? schema.anyOf) as readonly {
    properties?: Record<string, { const?: unknown }>
  }[]
  return (
    Array.isArray(branches) &&
    branches.length > 1 &&
    branches.every(({ properties }) => typeof properties?.decision?.const === 'string')
  )
}
