import type { SubmissionRunner } from '../../agents/mutants/mutant-pool.ts'
import { runChecks } from '../../graders/check.ts'
import { grade } from '../../graders/grade.ts'
import { judgedKey, type ResultMemory } from '../../graders/result-memory.ts'
import { trackLevel } from '../../sandbox/level.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'

const unchecked = { status: 'none', passed: 0, total: 0, output: '' } as const

/**
 * Returns a function that checks and grades a submission outside any trial; simulated agents use it to find wrong mutants. What a
 * submission showed within its time is kept in `memory`, so that no trial runs it again.
 */
export function trySubmission(
  sandbox: SandboxRun,
  signal: AbortSignal,
  memory?: ResultMemory,
): SubmissionRunner {
  return async (task, submission, { allowedMs = Number.POSITIVE_INFINITY, always = false } = {}) => {
    const started = performance.now()
    const tracked = trackLevel(sandbox)
    const { run } = tracked
    const [files, answer] =
      'answer' in submission ? [task.files, submission.answer] : [submission.files, undefined]
    const key = memory && judgedKey(task, files, answer)
    const result = await grade(task, { files, answer, run, signal })
    const { passed, scores } = result
    const quality = scores.reduce((sum, { value }) => sum + value, 0) / Math.max(1, scores.length)
    const gradedMs = performance.now() - started
    // One that was cut off says nothing about the whole time of a trial.
    const isSlow = gradedMs > allowedMs
    if (key !== undefined && !isSlow)
      memory?.grades.set(key, Promise.resolve({ result, level: tracked.weakest }))
    // A submission that passes is not a wrong one, so its visible checks do not matter.
    if ('answer' in submission || (passed && !always) || isSlow)
      return { visible: unchecked, passed, quality, ms: gradedMs }
    const visible = await runChecks(task, files, run, signal)
    const checkedMs = performance.now() - started - gradedMs
    if (key !== undefined && checkedMs <= allowedMs)
      memory?.checks.set(key, Promise.resolve({ result: visible, level: tracked.weakest }))
    return { visible, passed, quality, ms: Math.max(gradedMs, checkedMs) }
  }
}
