import type { SubmissionRunner } from '../../agents/mutants/mutant-pool.ts'
import { runChecks } from '../../graders/check.ts'
import { grade, undeliveredText } from '../../graders/grade.ts'
import { finalFiles } from '../../graders/grader.ts'
import { judgedKey, type ResultMemory } from '../../graders/result-memory.ts'
import type { FindVerdicts } from '../../graders/verdicts/shipped-verdicts.ts'
import type { Results } from '../../graders/verdicts/verdicts.ts'
import { trackLevel } from '../../sandbox/level.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import { InfrastructureError } from '../../text/errors.ts'

const unchecked = { status: 'none', passed: 0, total: 0, output: '' } as const
const tooSlow = { visible: unchecked, passed: false, quality: 0, ms: Number.POSITIVE_INFINITY }

/**
 * Returns a function that checks and grades a submission outside any trial; simulated agents use it to find wrong mutants. What is known of
 * a submission is not run. What it showed within its time is kept in `memory`, so that no trial runs it again.
 */
export function trySubmission(
  sandbox: SandboxRun,
  signal: AbortSignal,
  memory?: ResultMemory,
  findVerdicts?: FindVerdicts,
): SubmissionRunner {
  return async (task, submission, { allowedMs = Number.POSITIVE_INFINITY, always = false } = {}) => {
    const [files, answer] =
      'answer' in submission ? [task.files, submission.answer] : [submission.files, undefined]
    const key = memory && judgedKey(task, files, answer)
    const verdicts = await findVerdicts?.(task)
    const undelivered = undeliveredText(task, files, finalFiles(task, files), [])
    // One that ends in its time has shown what it does, however close to the end.
    const work = { task, files, answer, undelivered, signal, run: sandbox, steadyShare: 1 }
    if (verdicts?.isSlow(work)) return tooSlow
    const judge = <Kind extends keyof Results>(kind: Kind, how: JudgeBy<Kind>) => {
      const run = (start = sandbox) => runTracked(start, how)
      return verdicts ? verdicts.judge({ kind, ...work }, run) : run()
    }
    const started = performance.now()
    const graded = await judge('grade', (run) => grade(task, { files, answer, run, signal })).catch(
      (error: unknown) => {
        // So a run looks that was cut off before any test; see `tryInTime`.
        if (error instanceof InfrastructureError && Number.isFinite(allowedMs)) verdicts?.noteTime(work, true)
        throw error
      },
    )
    const { passed, scores } = graded.result
    const quality = scores.reduce((sum, { value }) => sum + value, 0) / Math.max(1, scores.length)
    const gradedMs = performance.now() - started
    // One that was cut off says nothing about the whole time of a trial.
    const isSlow = gradedMs > allowedMs
    if (key !== undefined && !isSlow) memory?.grades.set(key, Promise.resolve(graded))
    verdicts?.noteTime(work, isSlow && !passed)
    // A submission that passes is not a wrong one, so its visible checks do not matter.
    if ('answer' in submission || (passed && !always) || isSlow)
      return { visible: unchecked, passed, quality, ms: gradedMs }
    const checked = await judge('check', (run) => runChecks(task, files, run, signal))
    const checkedMs = performance.now() - started - gradedMs
    verdicts?.noteTime(work, checkedMs > allowedMs && !passed)
    if (key !== undefined && checkedMs <= allowedMs) memory?.checks.set(key, Promise.resolve(checked))
    return { visible: checked.result, passed, quality, ms: Math.max(gradedMs, checkedMs) }
  }
}

type JudgeBy<Kind extends keyof Results> = (run: SandboxRun) => Promise<Results[Kind]>

async function runTracked<Result>(start: SandboxRun, judge: (run: SandboxRun) => Promise<Result>) {
  const tracked = trackLevel(start)
  const result = await judge(tracked.run)
  return { result, level: tracked.weakest }
}
