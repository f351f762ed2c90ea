import { withoutLabel } from '../../agents/agent.ts'
import { referenceOf } from '../../agents/reference.ts'
import { type GradeResult, grade, isGradable } from '../../graders/grade.ts'
import { trackLevel } from '../../sandbox/level.ts'
import type { GradeStep } from '../../schema/ledger/step.ts'
import type { Task } from '../../schema/task.ts'
import { sha256 } from '../../text/canonical-json.ts'
import { filesOf, type State, stateDigest } from '../files/workspace.ts'
import type { Branch } from '../state/branch.ts'
import { redactRun } from '../state/redact-inputs.ts'
import { DivergenceError, fromJournal, Interrupted, isNew, type TrialState } from '../state/trial-state.ts'

/** A grade, or why there is none; undefined: nothing to grade against, or the replay diverged. */
export type GradedState = { step: GradeStep } | { broke: string } | undefined

/** What is graded, and the name of the step that says so. */
interface GradedThing {
  key: string
  /** The ask whose reply made it; undefined: the trial delivered it. */
  of?: string | undefined
  state: State
  answer: string | undefined
  /** Their hash; see `deliveredOf`. */
  delivered: string | null
}

/** Whether a state and an answer hand in anything: where the task wants an answer, a text that is not empty; else a changed file. */
export function isDelivered({ spec }: Task, { changed }: State, answer: string | undefined): boolean {
  return spec.output === 'answer' ? answer !== undefined && /\S/.test(answer) : changed.size > 0
}

/** SHA-256 of what a state and an answer hand in; null when that is nothing. */
export function deliveredOf(task: Task, state: State, answer: string | undefined): string | null {
  if (!isDelivered(task, state, answer)) return null
  return task.spec.output === 'answer' ? sha256(answer as string) : stateDigest(state)
}

/** Names what is graded; of nothing that is not hashed already. */
export function gradeHash(task: Task, state: State, delivered: string | null): string {
  const files = task.spec.output === 'answer' ? stateDigest(state) : null
  return `grade ${task.digest.slice(0, 24)} ${delivered}${files === null ? '' : ` ${files}`}`
}

/** Grades a state of a trial on a copy of its files, or takes the journal's word for it; a step like any other. */
export async function gradeState(
  trialState: TrialState,
  { clock }: Branch,
  graded: GradedThing,
): Promise<GradedState> {
  const { run, task } = trialState
  if (!canBeGraded(trialState)) return undefined
  const { state, answer } = graded
  const hash = gradeHash(task, state, graded.delivered)
  const before = gradedBefore(trialState, graded, hash)
  if (before !== 'new') return before
  const sandbox = trackLevel(redactRun(run.sandbox, run.redact))
  let grades: GradeResult
  try {
    grades = await grade(task, { files: filesOf(state), answer, run: sandbox.run, signal: run.signal })
  } catch (error) {
    if (run.signal.aborted) throw new Interrupted()
    return { broke: `grading broke: ${(error as Error).message}` }
  }
  // A grader whose process was ended by the abort may well have said "failed".
  if (run.signal.aborted) throw new Interrupted()
  const step = stepOf(trialState, graded, { hash, clock, grades, sandbox: sandbox.weakest })
  run.journal?.step(step, trialState.mark)
  return { step }
}

/** What the journal says of a grade, or why there is none; `new`: nothing. */
function gradedBefore(trialState: TrialState, { key, of }: GradedThing, hash: string): GradedState | 'new' {
  const { run } = trialState
  try {
    const recorded = fromJournal(trialState, key, 1, hash)
    return recorded?.kind === 'grade' && !run.regrade ? { step: recorded } : 'new'
  } catch (error) {
    if (error instanceof Interrupted) throw error
    // A candidate whose grading broke has no step; a step that was lost is told by the ledger's sum.
    if (of !== undefined && isNew(trialState, key, 1)) return { broke: 'it broke before' }
    if (error instanceof DivergenceError) {
      trialState.divergences.push(error.message)
      return undefined
    }
    // The replay of a trial whose grading broke; it may be tried again.
    if (!trialState.broken) throw error
    return run.regrade ? 'new' : { broke: trialState.broken.message }
  }
}

function stepOf(
  { run, trial, simulated }: TrialState,
  { key, of }: GradedThing,
  made: { hash: string; clock: number; grades: GradeResult; sandbox: GradeStep['sandbox'] },
): GradeStep {
  const { scores, passed } = made.grades
  return {
    trial: trial.id,
    key,
    attempt: 1,
    kind: 'grade',
    payer: 'grading',
    simulated,
    hash: made.hash,
    at: made.clock,
    durationMs: 0,
    of,
    scores: run.redact?.data(scores) ?? scores,
    passed,
    sandbox: made.sandbox,
  }
}

/** Agents that make what they hand in from the reference. */
const ofReference = ['simulated', 'oracle']

/**
 * Whether there is something to grade against. Simulated agents and the oracle cannot do right without a reference to make
 * their candidates from: that would be graded as the method's fault.
 */
function canBeGraded({ task, asked }: TrialState): boolean {
  if (!isGradable(task)) return false
  return (
    referenceOf(task) !== undefined ||
    !asked.some(({ step }) => ofReference.includes(withoutLabel(step.agent)))
  )
}
