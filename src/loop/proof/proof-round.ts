import { changedFiles, withTimeLimit } from '../../agents/mutants/mutant-pool.ts'
import { mutants } from '../../agents/mutants/mutate.ts'
import { wrongAnswers } from '../../agents/mutants/wrong-answers.ts'
import { referenceOf } from '../../agents/reference.ts'
import { seededRandom, shuffled } from '../../base/random.ts'
import { runChecks } from '../../graders/check.ts'
import { grade } from '../../graders/grade.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { Score } from '../../schema/ledger/outcome.ts'
import { needsJudges, type Solution, type Task, wantsText } from '../../schema/task.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'

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

interface RoundOptions {
  run: SandboxRun
  signal: AbortSignal
  /** The label of a shuffled round: submissions and test files come in an order that it draws. Undefined: their own order. */
  shuffle: string | undefined
  /** The most errors to generate in the reference, and whether to run the visible checks: only a first round does. */
  generate: number
}

/** The verdict on one submission. */
export interface Verdict {
  passed: boolean
  reason: string
}

/** The verdicts of one round. */
export interface Round {
  reference: Verdict
  nothing: Verdict
  mutants: Record<string, Verdict>
  generated?: { tried: number; survivors: string[] }
  warnings: ProofWarning[]
}

/** Grades reference, nothing and mutants of a task once. Throws `InfrastructureError` if they cannot be graded. */
export async function proofRound(task: Task, options: RoundOptions): Promise<Round> {
  const { run, signal, shuffle } = options
  const graded = async (submission: Solution, of = task): Promise<Verdict & { scores: Score[] }> => {
    const files = submission.files ? { ...of.files, ...submission.files } : of.files
    const { passed, scores } = await grade(of, { files, answer: submission.answer, run, signal, shuffle })
    return { passed, scores, reason: scores.map(({ name, reason }) => `${name}: ${reason}`).join('; ') }
  }
  const judged = needsJudges(task.spec)
  const given: [string, Solution][] = judged ? [] : Object.entries(task.hidden.mutants ?? {})
  const named = given.map(([name, solution]): [string, Solution] => [`mutant ${name}`, solution])
  const all: [string, Solution][] = [['reference', task.hidden.solution ?? {}], ['nothing', {}], ...named]
  const verdicts: Record<string, Verdict> = {}
  let ms = 0
  const warnings: ProofWarning[] = []
  for (const [name, submission] of shuffle === undefined ? all : shuffled(all, seededRandom(shuffle))) {
    const started = performance.now()
    const { passed, reason, scores } = await graded(submission)
    verdicts[name] = { passed, reason }
    if (name !== 'reference') continue
    ms = performance.now() - started
    if (scores.some(({ oneProcess }) => oneProcess)) warnings.push(sharedProcess)
  }
  const { reference, nothing } = verdicts as Record<'reference' | 'nothing', Verdict>
  const mutants = Object.fromEntries(given.map(([name]) => [name, verdicts[`mutant ${name}`] as Verdict]))
  if (shuffle !== undefined || !reference.passed) return { reference, nothing, mutants, warnings }
  warnings.push(...(await failedChecks(task, options)))
  if (judged) return { reference, nothing, mutants, warnings: [...warnings, unjudged(task)] }
  const generated = await survivorsOf(task, options.generate, ms, graded)
  return { reference, nothing, mutants, warnings, ...(options.generate > 0 && { generated }) }
}

const sharedProcess: ProofWarning = {
  kind: 'one-process',
  text: 'its tests run in one process with the solution, so a solution can fake its score',
}

/** Without judges, the reference passes and nothing else does: a mutant would always fail. */
function unjudged({ spec, hidden }: Task): ProofWarning {
  const rubrics = spec.graders.filter(({ kind }) => kind === 'rubric').map(({ name }) => name)
  const skipped = Object.keys(hidden.mutants ?? {}).length > 0 ? '; its mutants were not tried' : ''
  return { kind: 'unjudged', text: `${rubrics.join(', ')}${skipped}` }
}

/** This does not fail the proof: HumanEval publishes examples that its own reference contradicts. */
async function failedChecks(task: Task, { run, signal }: RoundOptions): Promise<ProofWarning[]> {
  const visible = await runChecks(task, { ...task.files, ...task.hidden.solution?.files }, run, signal)
  if (visible.status !== 'failed') return []
  return [{ kind: 'checks-fail', text: `its reference fails the visible checks: ${visible.output}` }]
}

/** Grades generated errors. One that runs for much longer than the reference is wrong, too, and is not waited for. */
async function survivorsOf(
  task: Task,
  most: number,
  referenceMs: number,
  graded: (submission: Solution, of: Task) => Promise<Verdict>,
): Promise<{ tried: number; survivors: string[] }> {
  const limits = task.spec.graders.flatMap((grader) => (grader.kind === 'tests' ? [grader.timeoutMs] : []))
  const limitMs = Math.min(...limits, Math.round(Math.max(3000, 4 * referenceMs)))
  const limited = withTimeLimit(task, limitMs)
  const survivors: string[] = []
  const made = generatedMutants(task, most)
  for (const { label, submission } of made) {
    // In the shortened time no test may run, which looks like broken tests.
    const { passed } = await graded(submission, limited).catch(asWrong)
    if (passed) survivors.push(label)
  }
  return { tried: made.length, survivors }
}

function asWrong(error: unknown): Verdict {
  if (!(error instanceof InfrastructureError)) throw error
  return { passed: false, reason: error.message }
}

/** A whole text is too long to name an answer. */
const longestLabel = 80

interface GeneratedMutant {
  /** What was changed, and where. */
  label: string
  submission: Solution
}

/** Returns at most `most` small errors in a task's reference. They depend on the task alone. Whether one is wrong only grading says. */
function generatedMutants(task: Task, most: number): GeneratedMutant[] {
  const reference = referenceOf(task)
  if (!reference || most === 0) return []
  if ('answer' in reference)
    return wrongAnswers(task, reference.answer)
      .slice(0, most)
      .map((answer) => ({
        label: `the answer ${shorten(JSON.stringify(answer), longestLabel)}`,
        submission: { answer: wantsText(task.spec) ? answer : `Answer: ${answer}` },
      }))
  const { files } = reference
  const made: GeneratedMutant[] = []
  for (const { path, content, label } of mutants(changedFiles(task, files), task.digest)) {
    if (made.length === most) break
    made.push({ label, submission: { files: { ...files, [path]: content } } })
  }
  return made
}
