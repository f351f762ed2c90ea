import { referenceOf } from '../agents/reference.ts'
import { sha256 } from '../canonical.ts'
import { type Graded, grade, isGradable } from '../graders/grade.ts'
import { withLevel } from '../sandbox/level.ts'
import type { GradeStep } from '../schema/step.ts'
import type { Task } from '../schema/task.ts'
import type { Branch } from './branch.ts'
import { DivergenceError, fromJournal, Interrupted, isNew, type TrialDoor } from './door.ts'
import { redactRun } from './redact-run.ts'
import { filesOf, type State, stateDigest } from './workspace.ts'

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

/** SHA-256 of what a state and an answer hand in; null when that is nothing. */
export function deliveredOf(task: Task, state: State, answer: string | undefined): string | null {
  if (task.spec.output !== 'answer') return stateDigest(state)
  return answer === undefined ? null : sha256(answer)
}

/** Names what is graded; of nothing that is not hashed already. */
export function gradeHash(task: Task, state: State, delivered: string | null): string {
  const files = task.spec.output === 'answer' ? stateDigest(state) : null
  return `grade ${task.digest.slice(0, 24)} ${delivered}${files === null ? '' : ` ${files}`}`
}

/**
 * Grades a state of a trial on a copy of its files, or takes the journal's word for it; a step like any other. At once
 * where no grader has anything to wait for.
 */
export function gradeState(
  door: TrialDoor,
  { clock }: Branch,
  { key, of, state, answer, delivered }: GradedThing,
): GradedState | Promise<GradedState> {
  const { run, task, trial } = door
  if (!isGradable(task) || isBeyondSimulation(door)) return undefined
  const hash = gradeHash(task, state, delivered)
  let recorded: ReturnType<typeof fromJournal>
  try {
    recorded = fromJournal(door, key, 1, hash, () => hash)
  } catch (error) {
    if (error instanceof Interrupted) throw error
    // A candidate whose grading broke has no step; a step that was lost is told by the ledger's sum.
    if (of !== undefined && isNew(door, key, 1)) return { broke: 'it broke before' }
    if (error instanceof DivergenceError) {
      door.divergences.push(error.message)
      return undefined
    }
    // The replay of a trial whose grading broke; it may be tried again.
    if (!door.broken) throw error
    if (!run.regrade) return { broke: door.broken.message }
  }
  if (recorded?.kind === 'grade' && !run.regrade) return { step: recorded }
  const sandbox = withLevel(redactRun(run.sandbox, run.redact))
  const judge = (graded: Graded): GradedState => {
    // A grader whose process was ended by the abort may well have said "failed".
    if (run.signal.aborted) throw new Interrupted()
    const step: GradeStep = {
      trial: trial.id,
      key,
      attempt: 1,
      kind: 'grade',
      payer: 'grading',
      simulated: run.mode === 'dev',
      hash,
      at: clock,
      durationMs: 0,
      of,
      scores: run.redact?.data(graded.scores) ?? graded.scores,
      passed: graded.passed,
      sandbox: sandbox.weakest(),
    }
    run.journal?.step(step)
    return { step }
  }
  const broke = (error: unknown): GradedState => {
    if (run.signal.aborted) throw new Interrupted()
    return { broke: `grading broke: ${(error as Error).message}` }
  }
  let graded: ReturnType<typeof grade>
  try {
    graded = grade(task, { files: filesOf(state), answer, run: sandbox.run, signal: run.signal })
  } catch (error) {
    return broke(error)
  }
  return graded instanceof Promise ? graded.then(judge, broke) : judge(graded)
}

/** A simulated agent cannot do right without a reference to make its candidates from: that would be graded as the method's fault. */
function isBeyondSimulation({ asked, task }: TrialDoor): boolean {
  return referenceOf(task) === undefined && asked.some(({ step }) => step.agent === 'simulated')
}
