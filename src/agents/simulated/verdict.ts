import { basename, extname } from 'node:path'
import { normal, seededRandom } from '../../base/random.ts'
import type { Profile } from '../../schema/agent/profile.ts'
import type { CheckResult } from '../../strategy.ts'
import type { AgentRequest, PastAsk } from '../agent.ts'
import { type Chance, countOf, probability, seedOf } from './behaviour.ts'
import { assessWork, qualityUnder, type Submissions, shownQuality } from './submissions.ts'

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
function signalOf(quality: number, isMistaken: boolean, shift: number): number {
  if ((quality === 1) !== isMistaken) return between(approvalSignal, 1 - Math.abs(shift), 1)
  return rejected((quality === 1 ? 0.7 : 0.75 * quality) + shift)
}

/**
 * Returns how good one of several works looks by one criterion, as `drafts/ada.md` by `facts`; undefined if the prompt does not show it under
 * its path or its file's name. Judges agree what works of a quality are good at; each has noise and mistakes of its own.
 */
export function ratingSignal(
  { verdicts: { falseAccept, falseReject, noise }, skills }: Profile,
  request: AgentRequest,
  submissions: Submissions,
  { row: [work = '', ...criteria], works }: { row: readonly string[]; works: readonly string[] },
): number | undefined {
  const quality =
    qualityUnder(work, works, submissions, request.prompt) ??
    qualityUnder(fileName(work), works.map(fileName), submissions, request.prompt)
  if (quality === undefined) return undefined
  const { seed, task } = request.trial
  const own = `${seedOf(request, request.attempt)}|${work}`
  const rate = errorRate(quality === 1 ? falseReject : falseAccept, skills.judge)
  const noiseOf = (label: string) => (noise / 2) * normal(seededRandom(`${label}|${criteria.join()}`))
  const shift = noiseOf(`${seed}|${task}|${quality}`) + noiseOf(own)
  return signalOf(quality, seededRandom(own)() < rate, shift)
}

const fileName = (path: string) => basename(path, extname(path))

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

function errorRate(rate: number, skill: number): number {
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
