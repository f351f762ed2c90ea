import type { Files, Task } from '../../schema/task.ts'
import type { CheckResult } from '../../strategy.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { type Candidate, type Overlay, referenceOf, sameText } from '../reference.ts'
import { mutants, mutationEngine } from './mutate.ts'
import { type PoolEntry, readPool, writePool } from './pool-cache.ts'
import { wrongAnswers } from './wrong-answers.ts'

/** What running a candidate said: the visible checks, and whether the graders passed it. */
export interface CandidateResult {
  visible: CheckResult
  passed: boolean
  /** How long the graders took or the checks, whichever took longer; ms. */
  ms: number
}

/**
 * Really grades and checks a candidate: complete files, or an answer as its line in a reply. The task is the one that was
 * asked for, with its time limits shortened to what a usable mutant may take.
 */
export type CandidateRunner = (
  task: Task,
  candidate: { files: Files } | { answer: string },
  options?: CandidateRunOptions,
) => Promise<CandidateResult>

/** What of a candidate need not be run. */
export interface CandidateRunOptions {
  /** One on which the graders spend longer is not checked any more; ms. */
  allowedMs?: number
  /** Also one that passes is checked. */
  always?: boolean
}

/** Candidates that were run and found wrong. */
export interface Pool {
  wrong: readonly { label: string; passesVisible: boolean; candidate: Candidate }[]
}

export interface PoolOptions {
  /** Folder for kept pools; undefined keeps none. */
  cache: string | undefined
}

const wanted = 4
const wantedPassing = 2
const maxTries = 14
const maxLooks = 3

/**
 * The wrong candidates of a task: small faults in its reference that its graders really reject, some of which its
 * visible checks miss. Depends on nothing but the task, so it is kept by its digest. Empty without a reference.
 */
export async function buildPool(
  task: Task,
  tryCandidate: CandidateRunner,
  { cache }: PoolOptions,
): Promise<Pool> {
  const reference = referenceOf(task)
  if (!reference) return { wrong: [] }
  if ('answer' in reference) return answerPool(task, reference.answer, tryCandidate)
  const kept = cache && readPool(cache, task.digest, mutationEngine)
  if (kept) return kept
  const wrong = await filePool(task, reference.files, tryCandidate)
  if (cache) writePool(cache, { engine: mutationEngine, digest: task.digest, wrong })
  return { wrong }
}

async function answerPool(task: Task, reference: string, tryCandidate: CandidateRunner): Promise<Pool> {
  const wrong: Pool['wrong'][number][] = []
  for (const answer of wrongAnswers(task, reference).slice(0, maxTries)) {
    if (wrong.length >= wanted) break
    const { passed } = await tryCandidate(task, { answer: `Answer: ${answer}` })
    if (!passed) wrong.push({ label: 'other answer', passesVisible: false, candidate: { answer } })
  }
  return { wrong }
}

async function filePool(
  task: Task,
  solution: Files,
  tryCandidate: CandidateRunner,
): Promise<PoolEntry['wrong']> {
  const tryMutant = tryInTime(task, solution, tryCandidate)
  const passing: PoolEntry['wrong'] = []
  const failing: PoolEntry['wrong'] = []
  const judge = async (label: string, overlay: Overlay) => {
    const { visible, passed, isSlow } = await tryMutant(overlaid(task.files, overlay))
    if (passed || isSlow) return
    const passesVisible = visible.status === 'passed'
    const group = passesVisible ? passing : failing
    group.push({ label, passesVisible, candidate: { files: overlay } })
  }
  let tries = 0
  for (const { path, content, label } of mutants(changedFiles(task, solution), task.digest)) {
    // Mutants that slip through the visible checks are the rarer kind: after half the tries one of them is enough.
    const enough = Object.keys(task.checks).length === 0 ? 0 : tries < maxTries / 2 ? wantedPassing : 1
    if (tries === maxTries || (passing.length + failing.length >= wanted && passing.length >= enough)) break
    tries++
    await judge(label, { ...solution, [path]: content })
  }
  if (passing.length + failing.length === 0) {
    await judge(
      'nothing done',
      Object.fromEntries(Object.keys(solution).map((path) => [path, task.files[path] ?? null])),
    )
  }
  const kept = passing.slice(0, Math.max(wantedPassing, wanted - failing.length))
  return [...kept, ...failing.slice(0, wanted - kept.length)]
}

/** What the reference adds to the task's own files: a fault elsewhere would be nobody's. */
function changedFiles(task: Task, solution: Files): Files {
  return Object.fromEntries(
    Object.entries(solution).filter(([path, text]) => !sameText(text, task.files[path])),
  )
}

function overlaid(files: Files, overlay: Overlay): Files {
  const all = Object.entries({ ...files, ...overlay })
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null))
}

/**
 * Tries files under a tenth of the task's shortest time limit, but never less than a second, which a busy machine needs
 * to start a process: a mutant that takes longer would slow every trial that it stands in, or fail by the clock. One that
 * does is tried again, and where the reference takes long as well, with so much the more time: what is slow must be the
 * mutant and not the machine, or the pool would hang on what else runs there.
 */
function tryInTime(task: Task, solution: Files, tryCandidate: CandidateRunner) {
  const { graders, checks } = task.spec
  const limits = [...graders, checks].flatMap((part) => (part && 'timeoutMs' in part ? [part.timeoutMs] : []))
  const shortest = Math.min(...limits, 20_000)
  const tenth = Math.max(1_000, shortest / 10)
  const most = Math.max(tenth, shortest / 2)
  const reference = { files: overlaid(task.files, solution) }
  return async (files: Files) => {
    let limitMs = tenth
    for (let looks = 1; ; looks++) {
      // A timer may fire a little early by another clock; what was cut off must count as too slow.
      const allowedMs = limitMs * 0.95
      const tried = await tryCandidate(withTimeLimit(task, limitMs), { files }, { allowedMs }).catch(cutOff)
      const isSlow = tried.ms > allowedMs
      if (!isSlow || tried.passed || looks === maxLooks) return { ...tried, isSlow }
      const { ms } = await tryCandidate(task, reference, { always: true })
      const wantedMs = ms < tenth / 4 ? tenth : Math.min(tenth + 3 * ms, most)
      if (looks > 1 && wantedMs < 1.25 * limitMs) return { ...tried, isSlow }
      limitMs = Math.max(limitMs, wantedMs)
    }
  }
}

/**
 * Tests of which none runs in so short a time look broken, since the reference gets no more for them. With its whole time
 * it tells whether they are.
 */
function cutOff(error: unknown): CandidateResult {
  if (!(error instanceof InfrastructureError)) throw error
  const visible: CheckResult = { status: 'none', passed: 0, total: 0, output: '' }
  return { visible, passed: false, ms: Number.POSITIVE_INFINITY }
}

function withTimeLimit(task: Task, timeoutMs: number): Task {
  const { graders, checks } = task.spec
  const shortened = graders.map((grader) => (grader.kind === 'tests' ? { ...grader, timeoutMs } : grader))
  return {
    ...task,
    spec: { ...task.spec, graders: shortened, ...(checks && { checks: { ...checks, timeoutMs } }) },
  }
}
