import { withoutLabel } from '../../agents/agent.ts'
import { referenceOf } from '../../agents/reference.ts'
import { type GradeResult, grade, isGradable, tellReading, undeliveredText } from '../../graders/grade.ts'
import { finalFiles, type Judged } from '../../graders/grader.ts'
import { judgedKey, remember } from '../../graders/result-memory.ts'
import { dataCleaner } from '../../replies/clean-data.ts'
import { trackLevel } from '../../sandbox/level.ts'
import type { GradeStep } from '../../schema/ledger/step.ts'
import { type Files, needsJudges, type Task } from '../../schema/task.ts'
import { sha256 } from '../../text/canonical-json.ts'
import {
  brokenBy,
  DivergenceError,
  Interrupted,
  isNew,
  stepHead,
  takeRecordedStep,
  writeStep,
} from '../branch/recorded-steps.ts'
import { redactRun } from '../branch/redact-inputs.ts'
import type { Branch, TrialState } from '../branch/trial-state.ts'
import { filesOf, type State, stateDigest } from '../branch/workspace.ts'
import { askJudges } from '../judge/ask-judges.ts'

/** A grade, or why grading broke; undefined: nothing to grade against, or the replay diverged. */
type StateGrade = { step: GradeStep } | { broke: string } | undefined

interface GradeTarget {
  key: string
  /** Key of the candidate; undefined for the trial's final result. */
  of?: string | undefined
  state: State
  answer: string | undefined
  /** Their hash; see `hashDelivered`. */
  delivered: string | null
}

/** Whether anything is handed in: a non-empty answer when the task wants an answer, else a changed file. */
export function isDelivered({ spec }: Task, { changed }: State, answer: string | undefined): boolean {
  return spec.output === 'answer' ? answer !== undefined && /\S/.test(answer) : changed.size > 0
}

/** Returns the SHA-256 of what is handed in; null when nothing is. */
export function hashDelivered(task: Task, state: State, answer: string | undefined): string | null {
  if (!isDelivered(task, state, answer)) return null
  return task.spec.output === 'answer' ? sha256(answer as string) : stateDigest(state)
}

/** Returns the hash of a grade's step, from the hashes of the task and of what is handed in. */
export function gradeHash(task: Task, state: State, delivered: string | null): string {
  const files = task.spec.output === 'answer' ? stateDigest(state) : null
  return `grade ${task.digest.slice(0, 24)} ${delivered}${files === null ? '' : ` ${files}`}`
}

/** Grades a state of a trial on a copy of its files, as a step, or takes the grade from the journal. */
export async function gradeState({ clock, trialState }: Branch, graded: GradeTarget): Promise<StateGrade> {
  const { run, plan } = trialState
  if (!canBeGraded(trialState)) return undefined
  const { state, answer } = graded
  const hash = gradeHash(plan.task, state, graded.delivered)
  const files = filesOf(state)
  const said = await judgesOf(trialState, { files, answer, of: graded.of })
  if (said && 'end' in said) return said.end
  const before = recordedGrade(trialState, graded, hash)
  if (before !== 'new') return before
  const { refused, undelivered, notes } = readingOf(trialState, files)
  const judge = async (start = run.sandbox) => {
    const sandbox = trackLevel(redactRun(start, run.redact))
    const result = await grade(plan.task, {
      files,
      answer,
      refused,
      judged: said?.judged,
      run: sandbox.run,
      signal: run.signal,
    })
    return { result, level: sandbox.weakest }
  }
  const judgeOnce = () => {
    if (!run.verdicts || said) return judge()
    const work = { kind: 'grade' as const, task: plan.task, files, answer, undelivered }
    return run.verdicts.judge({ ...work, run: run.sandbox, signal: run.signal }, judge)
  }
  let grades: Awaited<ReturnType<typeof judge>>
  try {
    grades = await (run.memory && !said
      ? remember(run.memory.grades, judgedKey(plan.task, files, answer), judgeOnce)
      : judgeOnce())
  } catch (error) {
    if (run.signal.aborted) throw new Interrupted()
    return { broke: `grading broke: ${(error as Error).message}` }
  }
  // The abort ends graders' processes, which may report "failed" then.
  if (run.signal.aborted) throw new Interrupted()
  const { result, level } = grades
  const scores = result.scores.map((score) => tellReading(score, notes))
  const step = stepOf(trialState, graded, { hash, clock, grades: { ...result, scores }, sandbox: level })
  writeStep(trialState, step)
  return { step }
}

/** Asks the judges of a task with a rubric, or takes what they said from the journal. `end`: there can be no grade. */
async function judgesOf(
  trialState: TrialState,
  delivered: Parameters<typeof askJudges>[1],
): Promise<{ judged: Judged } | { end: StateGrade } | undefined> {
  if (!needsJudges(trialState.plan.task.spec)) return undefined
  try {
    return { judged: await askJudges(trialState, delivered) }
  } catch (error) {
    if (error instanceof Interrupted) throw error
    const { message } = error as Error
    if (error instanceof DivergenceError) {
      trialState.journal.divergences.push(message)
      return { end: undefined }
    }
    // On replay it is the recorded reason.
    return { end: { broke: trialState.run.journal ? `grading broke: ${message}` : message } }
  }
}

/** Returns the journaled grade, or why there is none; `new` when it has to be graded. */
function recordedGrade(trialState: TrialState, { key, of }: GradeTarget, hash: string): StateGrade | 'new' {
  const { run } = trialState
  try {
    const recorded = takeRecordedStep(trialState, key, 1, hash)
    return recorded?.kind === 'grade' && !run.regrade ? { step: recorded } : 'new'
  } catch (error) {
    if (error instanceof Interrupted) throw error
    // A candidate whose grading broke has no step. A lost step is found by the ledger's checksum instead.
    if (of !== undefined && isNew(trialState, key, 1)) return { broke: 'it broke before' }
    if (error instanceof DivergenceError) {
      trialState.journal.divergences.push(error.message)
      return undefined
    }
    // This replays a trial whose grading broke; `--regrade` tries again.
    const broken = brokenBy(trialState)
    if (!broken) throw error
    return run.regrade ? 'new' : { broke: broken.message }
  }
}

function stepOf(
  trialState: TrialState,
  { key, of }: GradeTarget,
  graded: { hash: string; clock: number; grades: GradeResult; sandbox: GradeStep['sandbox'] },
): GradeStep {
  const { scores, passed } = graded.grades
  return {
    ...stepHead(trialState, 'grade', key, graded.hash, graded.clock),
    payer: 'grading',
    of,
    scores: dataCleaner(trialState.run.redact)(scores),
    passed,
    sandbox: graded.sandbox,
  }
}

/** Returns what scores say of how the replies were read, in the order of the clock: branches end in any order. */
function readingOf({ plan: { task }, journal: { asked } }: TrialState, files: Files) {
  const changeSets = [...asked]
    .sort((a, b) => a.step.at - b.step.at || (a.step.key < b.step.key ? -1 : 1))
    .flatMap(({ step }) => step.changeSet ?? [])
  const refused = changeSets.flatMap(({ rejected = [] }) => rejected)
  const undelivered = undeliveredText(task, files, finalFiles(task, files), refused)
  // A reply that changes nothing says nothing of files that another one wrote.
  const notes = changeSets.flatMap((set) =>
    undelivered !== undefined || set.changes.length > 0 ? (set.notes ?? []) : [],
  )
  return { refused, undelivered, notes }
}

/** Agents that derive their replies from the reference solution. */
const ofReference = ['simulated', 'oracle']

/**
 * Whether there is something to grade against. Simulated agents and the oracle cannot reply correctly without a reference
 * solution, and that must not count against the method.
 */
function canBeGraded({ plan: { task }, journal: { asked } }: TrialState): boolean {
  if (!isGradable(task)) return false
  return (
    referenceOf(task) !== undefined ||
    // Judges need none.
    task.spec.graders.every(({ kind }) => kind === 'rubric') ||
    !asked.some(({ step }) => ofReference.includes(withoutLabel(step.agent).replace(/:.*$/s, '')))
  )
}
