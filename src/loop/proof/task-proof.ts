/** Whether a task is proved. `flaky`: equal runs came to different results. `not run`: a tool is missing. */
export type ProofState = 'proved' | 'failed' | 'flaky' | 'not run'

/** What became of one submission in each round, as the graders saw it. */
export interface Tried {
  /** Whether it passed, by round. */
  passed: boolean[]
  /** Why, in the first round that was not as it must be; else in the first. */
  reason: string
}

/** One thing that is wrong with a task. */
export interface ProofFault {
  what: string
  /** What the run of the task gave, of several lines; may be empty. */
  details: string
  /** What to do; may be empty. */
  fix: string
}

/** The proof of one task. Undefined parts did not run. */
export interface TaskProof {
  task: string
  state: ProofState
  /** What is wrong or missing; else empty. */
  faults: readonly ProofFault[]
  /** The reference solution, which must pass. */
  reference?: Tried
  /** Handing in nothing, which must fail. */
  nothing?: Tried
  /** The task's own wrong solutions, which must fail, by name. */
  mutants?: Readonly<Record<string, Tried>>
  /** Small errors in the reference. One that passes may mean the same, or show a weak test: it is no fault of the task. */
  generated?: { tried: number; survivors: readonly string[] }
  warnings: readonly ProofWarning[]
}

/** Something that a person should look at. It does not fail the proof. */
export interface ProofWarning {
  kind: 'unjudged' | 'one-process' | 'checks-fail' | 'seen-test' | 'seen-answer' | 'seen-solution'
  text: string
}

/** Returns what is wrong with a task in one text; empty if nothing is. */
export const faultText = ({ faults }: TaskProof): string =>
  faults.map(({ what, details }) => (details === '' ? what : `${what}: ${details}`)).join('; ')

/** Whether equal submissions came to different verdicts. */
export const isFlaky = ({ passed }: Tried): boolean => new Set(passed).size > 1
