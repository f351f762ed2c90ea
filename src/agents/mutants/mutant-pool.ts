import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeCacheFile } from '../../base/cache-folder.ts'
import { type Files, type Task, wantsText } from '../../schema/task.ts'
import type { CheckResult } from '../../strategy.ts'
import { sha256 } from '../../text/canonical-json.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { type Overlay, referenceOf, type Submission, sameText } from '../reference.ts'
import { mutants, mutationEngine } from './mutate.ts'
import { wrongAnswers } from './wrong-answers.ts'

interface SubmissionResult {
  visible: CheckResult
  passed: boolean
  /** The longer of the graders' and the checks' time, in ms. */
  ms: number
}

/**
 * Really grades and checks a submission: complete files, or the answer line of a reply. The task may have shortened time
 * limits, which a usable mutant must keep.
 */
export type SubmissionRunner = (
  task: Task,
  submission: { files: Files } | { answer: string },
  options?: SubmissionRunOptions,
) => Promise<SubmissionResult>

interface SubmissionRunOptions {
  /** If the graders take longer than this, the checks are skipped; ms. */
  allowedMs?: number
  /** Run the checks even if the graders pass the submission. */
  always?: boolean
}

/** Submissions that the graders really rejected. */
export interface Pool {
  wrong: readonly { label: string; passesVisible: boolean; submission: Submission }[]
}

interface PoolOptions {
  /** Folder of the cache; undefined turns it off. */
  cache: string | undefined
}

const wanted = 4
const wantedPassing = 2
const maxTries = 14
const maxRuns = 3

/**
 * Builds the wrong submissions of a task: its reference with small errors that the graders really reject. The visible checks
 * miss some of them. The result depends only on the task, so it is cached by digest. Empty without a reference.
 */
export async function buildPool(
  task: Task,
  trySubmission: SubmissionRunner,
  { cache }: PoolOptions,
): Promise<Pool> {
  const reference = referenceOf(task)
  if (!reference) return { wrong: [] }
  if ('answer' in reference) return answerPool(task, reference.answer, trySubmission)
  const kept = cache && readPool(cache, task.digest, mutationEngine)
  if (kept) return kept
  const wrong = await filePool(task, reference.files, trySubmission)
  if (cache) writePool(cache, { engine: mutationEngine, digest: task.digest, wrong })
  return { wrong }
}

async function answerPool(task: Task, reference: string, trySubmission: SubmissionRunner): Promise<Pool> {
  const wrong: Pool['wrong'][number][] = []
  for (const answer of wrongAnswers(task, reference).slice(0, maxTries)) {
    if (wrong.length >= wanted) break
    const reply = wantsText(task.spec) ? answer : `Answer: ${answer}`
    const { passed } = await trySubmission(task, { answer: reply })
    if (!passed) wrong.push({ label: 'other answer', passesVisible: false, submission: { answer } })
  }
  return { wrong }
}

async function filePool(
  task: Task,
  solution: Files,
  trySubmission: SubmissionRunner,
): Promise<PoolEntry['wrong']> {
  const tryMutant = tryInTime(task, solution, trySubmission)
  const passing: PoolEntry['wrong'] = []
  const failing: PoolEntry['wrong'] = []
  const judge = async (label: string, overlay: Overlay) => {
    const { visible, passed, isSlow } = await tryMutant(overlaid(task.files, overlay))
    if (passed || isSlow) return
    const passesVisible = visible.status === 'passed'
    const group = passesVisible ? passing : failing
    group.push({ label, passesVisible, submission: { files: overlay } })
  }
  let tries = 0
  for (const { path, content, label } of mutants(changedFiles(task, solution), task.digest)) {
    // Mutants that pass the visible checks are rarer, so one of them is enough after half the tries.
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

/** Returns the files that the reference changes. Only they are mutated. */
export function changedFiles(task: Task, solution: Files): Files {
  return Object.fromEntries(
    Object.entries(solution).filter(([path, text]) => !sameText(text, task.files[path])),
  )
}

function overlaid(files: Files, overlay: Overlay): Files {
  const all = Object.entries({ ...files, ...overlay })
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null))
}

/**
 * Runs files under a tenth of the task's shortest time limit, but at least one second, which a busy machine needs to start a
 * process. A slower mutant would slow every trial that uses it, or fail by timeout. A slow one is run again, with more time if
 * the reference is slow as well, so that the pool does not depend on the load of the machine.
 */
function tryInTime(task: Task, solution: Files, trySubmission: SubmissionRunner) {
  const { graders, checks } = task.spec
  const limits = [...graders, checks].flatMap((part) => (part && 'timeoutMs' in part ? [part.timeoutMs] : []))
  const shortest = Math.min(...limits, 20_000)
  const tenth = Math.max(1_000, shortest / 10)
  const most = Math.max(tenth, shortest / 2)
  const reference = { files: overlaid(task.files, solution) }
  return async (files: Files) => {
    let limitMs = tenth
    for (let runs = 1; ; runs++) {
      // A timer may fire slightly early by another clock, and a run that was cut off must count as too slow.
      const allowedMs = limitMs * 0.95
      const result = await trySubmission(withTimeLimit(task, limitMs), { files }, { allowedMs }).catch(
        asTooSlow,
      )
      const isSlow = result.ms > allowedMs
      if (!isSlow || result.passed || runs === maxRuns) return { ...result, isSlow }
      const { ms } = await trySubmission(task, reference, { always: true })
      const wantedMs = ms < tenth / 4 ? tenth : Math.min(tenth + 3 * ms, most)
      if (runs > 1 && wantedMs < 1.25 * limitMs) return { ...result, isSlow }
      limitMs = Math.max(limitMs, wantedMs)
    }
  }
}

/**
 * Treats an infrastructure error as too slow. In the shortened time no test may run, which looks like broken tests; the run of
 * the reference, with its whole time, reports really broken ones.
 */
function asTooSlow(error: unknown): SubmissionResult {
  if (!(error instanceof InfrastructureError)) throw error
  const visible: CheckResult = { status: 'none', passed: 0, total: 0, output: '' }
  return { visible, passed: false, ms: Number.POSITIVE_INFINITY }
}

/** Returns a task whose tests and checks may run for at most so long; ms. */
export function withTimeLimit(task: Task, timeoutMs: number): Task {
  const { graders, checks } = task.spec
  const shortened = graders.map((grader) => (grader.kind === 'tests' ? { ...grader, timeoutMs } : grader))
  return {
    ...task,
    spec: { ...task.spec, graders: shortened, ...(checks && { checks: { ...checks, timeoutMs } }) },
  }
}

const Entry = z.object({
  engine: z.int(),
  digest: z.string(),
  wrong: z.array(
    z.object({
      label: z.string(),
      passesVisible: z.boolean(),
      submission: z.object({ files: z.record(z.string(), z.string().nullable()) }),
    }),
  ),
})
type PoolEntry = z.infer<typeof Entry>

function readPool(folder: string, digest: string, engine: number): PoolEntry | undefined {
  try {
    const [sum, text = ''] = readFileSync(pathOf(folder, digest), 'utf8').split('\n')
    if (sum !== sha256(text)) return undefined
    const entry = Entry.parse(JSON.parse(text))
    return entry.engine === engine && entry.digest === digest ? entry : undefined
  } catch {
    return undefined
  }
}

/** Writes a pool to the cache atomically. Failures are ignored: the next run computes the pool again. */
function writePool(folder: string, entry: PoolEntry): void {
  const text = JSON.stringify(entry)
  // The checksum guards against a changed byte, which would change records of the same seed.
  writeCacheFile(pathOf(folder, entry.digest), `${sha256(text)}\n${text}`)
}

const pathOf = (folder: string, digest: string) => join(folder, 'mutants', `${digest}.json`)
