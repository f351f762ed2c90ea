import { referenceOf } from '../agents/reference.ts'
import { sha256 } from '../canonical.ts'
import { grade, isGradable } from '../graders/grade.ts'
import { withLevel } from '../sandbox/level.ts'
import type { Outcome } from '../schema/outcome.ts'
import type { TrialRecord } from '../schema/record.ts'
import type { GradeStep } from '../schema/step.ts'
import type { Task } from '../schema/task.ts'
import type { Trial } from '../schema/trial.ts'
import type { Strategy, StrategyResult } from '../strategy.ts'
import { type Branch, joinUnfinished } from './branch.ts'
import { contextOf } from './context.ts'
import {
  DivergenceError,
  fromJournal,
  Interrupted,
  isInterrupted,
  leftOver,
  type RunDoor,
  type TrialDoor,
} from './door.ts'
import { removeHomes } from './homes.ts'
import type { Recorded } from './journal-index.ts'
import { lostStep } from './lost-step.ts'
import { outcomeOf } from './outcome-of.ts'
import { recordOf } from './record-of.ts'
import { checkedResult } from './result.ts'
import { emptyBill } from './spending.ts'
import { createState, filesOf, stateDigest } from './workspace.ts'

/** A finished trial: its record, and where it and its journal disagreed. */
export interface FinishedTrial {
  record: TrialRecord
  divergences: string[]
  /** Some step was paid: its record is made durable at once. */
  paid: boolean
  /** Final state, for artifacts. */
  branch: Branch
}

/** Runs one trial to its outcome and grades what it left behind. Throws `Interrupted` when the run is aborted: no record then. */
export async function runTrial(
  run: RunDoor,
  trial: Trial,
  task: Task,
  strategy: Strategy,
  recorded: Recorded | undefined,
): Promise<FinishedTrial> {
  const startedAt = Date.now()
  const started = performance.now()
  const branch = rootBranch(task, run.signal)
  const door: TrialDoor = {
    run,
    trial,
    task,
    strategy,
    recorded,
    limited: undefined,
    stopped: false,
    produced: 0,
    secret: false,
    simulated: false,
    paid: false,
    asked: [],
    labelled: false,
    interventions: 0,
    alerted: undefined,
    peeked: undefined,
    homes: undefined,
    level: undefined,
    divergences: [],
    root: branch,
    gaveUp: false,
    onGiveUp: undefined,
    over: false,
  }
  for (const intent of recorded?.lost ?? []) run.journal?.step(lostStep(intent))

  run.running?.add(door)
  const { result, outcome } = await method(door, branch)
  const answer = result?.answer ?? branch.state.answer
  const isAnswer = task.spec.output === 'answer'
  const delivered = isAnswer ? (answer === undefined ? null : sha256(answer)) : stateDigest(branch.state)
  const graded =
    outcome.status === 'error' || outcome.status === 'cancelled'
      ? undefined
      : await gradeTrial(door, branch, answer, delivered)
  const ended = graded && 'broke' in graded ? { status: 'error' as const, reason: graded.broke } : outcome
  const final = run.redact ? { ...ended, reason: run.redact.text(ended.reason) } : ended
  const step = graded && 'step' in graded ? graded.step : undefined
  if (!run.journal) door.divergences.push(...leftOver(door))

  return {
    record: recordOf(door, branch, {
      result,
      outcome: final,
      answer,
      delivered,
      step,
      startedAt,
      ms: performance.now() - started,
    }),
    divergences: door.divergences,
    paid: door.paid,
    branch,
  }
}

function rootBranch(task: Task, signal: AbortSignal): Branch {
  return {
    path: '',
    counter: 0,
    notes: 0,
    clock: 0,
    bill: emptyBill(),
    state: createState(task.files),
    iteration: undefined,
    busy: false,
    effect: undefined,
    group: undefined,
    names: undefined,
    signal,
    lost: false,
    told: 0,
    giveUp: undefined,
  }
}

async function method(
  door: TrialDoor,
  branch: Branch,
): Promise<{ result?: StrategyResult; outcome: Outcome }> {
  try {
    const result = checkedResult(await play(door, branch), door.run.redact)
    if (branch.group || branch.busy) await unfinished(door, branch)
    if (door.stopped) throw new Interrupted()
    if (door.limited) return { result, outcome: { status: 'limited', reason: door.limited } }
    return { result, outcome: { status: 'completed', reason: '' } }
  } catch (error) {
    if (branch.group || branch.busy) await unfinished(door, branch)
    if (error instanceof Interrupted || isInterrupted(door)) throw new Interrupted()
    if (error instanceof DivergenceError) {
      door.divergences.push(error.message)
      return { outcome: { status: 'error', reason: 'the replay diverged' } }
    }
    if (door.limited) return { outcome: { status: 'limited', reason: door.limited } }
    return { outcome: outcomeOf(error as Error) }
  } finally {
    door.over = true
    door.run.running?.delete(door)
    if (door.homes) removeHomes(door)
  }
}

function play(door: TrialDoor, branch: Branch): Promise<StrategyResult> {
  return new Promise((resolve, reject) => {
    branch.giveUp = reject
    door.strategy.run(contextOf(door, branch)).then(resolve, reject)
  })
}

/** Waits for what the strategy began and did not wait for, unless the trial is given up; the bill then holds all of it. */
async function unfinished(door: TrialDoor, branch: Branch): Promise<void> {
  const givenUp = new Promise<void>((resolve) => {
    if (door.gaveUp) resolve()
    else door.onGiveUp = resolve
  })
  await Promise.race([allEnded(branch), givenUp])
  joinUnfinished(branch)
}

async function allEnded(branch: Branch): Promise<void> {
  while (branch.group || branch.busy) {
    await branch.effect?.catch(() => {})
    await branch.group?.done
  }
}

/** A simulated agent cannot do right without a reference to make its candidates from: that would be graded as the method's fault. */
function isBeyondSimulation({ asked, task }: TrialDoor): boolean {
  return referenceOf(task) === undefined && asked.some(({ step }) => step.agent === 'simulated')
}

type Graded = { step: GradeStep } | { broke: string } | undefined

async function gradeTrial(
  door: TrialDoor,
  branch: Branch,
  answer: string | undefined,
  delivered: string | null,
): Promise<Graded> {
  const { run, task, trial } = door
  if (!isGradable(task) || isBeyondSimulation(door)) return undefined
  // Names what was graded; nothing that is not hashed already.
  const files = task.spec.output === 'answer' ? stateDigest(branch.state) : null
  const hash = `grade ${task.digest.slice(0, 24)} ${delivered}${files === null ? '' : ` ${files}`}`
  let recorded: ReturnType<typeof fromJournal>
  try {
    recorded = fromJournal(door, 'grade#0', 1, hash, () => hash)
  } catch (error) {
    if (!(error instanceof DivergenceError)) throw error
    door.divergences.push(error.message)
    return undefined
  }
  if (recorded?.kind === 'grade' && !run.regrade) return { step: recorded }
  const sandbox = withLevel(run.sandbox)
  let result: Awaited<ReturnType<typeof grade>>
  try {
    result = await grade(task, { files: filesOf(branch.state), answer, run: sandbox.run, signal: run.signal })
  } catch (error) {
    if (run.signal.aborted) throw new Interrupted()
    return { broke: `grading broke: ${(error as Error).message}` }
  }
  // A grader whose process was ended by the abort may well have said "failed".
  if (run.signal.aborted) throw new Interrupted()
  const level = sandbox.weakest()
  const step: GradeStep = {
    trial: trial.id,
    key: 'grade#0',
    attempt: 1,
    kind: 'grade',
    payer: 'grading',
    simulated: run.mode === 'dev',
    hash,
    at: branch.clock,
    durationMs: 0,
    scores: run.redact?.data(result.scores) ?? result.scores,
    passed: result.passed,
    ...(level && { sandbox: level }),
  }
  run.journal?.step(step)
  return { step }
}
