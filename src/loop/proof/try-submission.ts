import type { SubmissionRunner } from '../../agents/mutants/mutant-pool.ts'
import { runChecks } from '../../graders/check.ts'
import { grade } from '../../graders/grade.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'

const unchecked = { status: 'none', passed: 0, total: 0, output: '' } as const

/** Returns a function that checks and grades a submission outside any trial; simulated agents use it to find wrong mutants. */
export function trySubmission(sandbox: SandboxRun, signal: AbortSignal): SubmissionRunner {
  return async (task, submission, { allowedMs = Number.POSITIVE_INFINITY, always = false } = {}) => {
    const started = performance.now()
    if ('answer' in submission) {
      const { passed } = await grade(task, {
        files: task.files,
        answer: submission.answer,
        run: sandbox,
        signal,
      })
      return { visible: unchecked, passed, ms: performance.now() - started }
    }
    const { passed } = await grade(task, { files: submission.files, answer: undefined, run: sandbox, signal })
    const gradedMs = performance.now() - started
    // A submission that passes is not a wrong one, so its visible checks do not matter.
    if ((passed && !always) || gradedMs > allowedMs) return { visible: unchecked, passed, ms: gradedMs }
    const visible = await runChecks(task, submission.files, sandbox, signal)
    return { visible, passed, ms: Math.max(gradedMs, performance.now() - started - gradedMs) }
  }
}
