import type { CandidateRunner } from '../../agents/mutants/mutant-pool.ts'
import { runChecks } from '../../graders/check.ts'
import { grade } from '../../graders/grade.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'

const unchecked = { status: 'none', passed: 0, total: 0, output: '' } as const

/** Returns a function that checks and grades a candidate outside any trial; simulated agents use it to find wrong mutants. */
export function tryCandidate(sandbox: SandboxRun, signal: AbortSignal): CandidateRunner {
  return async (task, candidate, { allowedMs = Number.POSITIVE_INFINITY, always = false } = {}) => {
    const started = performance.now()
    if ('answer' in candidate) {
      const { passed } = await grade(task, {
        files: task.files,
        answer: candidate.answer,
        run: sandbox,
        signal,
      })
      return { visible: unchecked, passed, ms: performance.now() - started }
    }
    const { passed } = await grade(task, { files: candidate.files, answer: undefined, run: sandbox, signal })
    const gradedMs = performance.now() - started
    // A candidate that passes is not a wrong one, so its visible checks do not matter.
    if ((passed && !always) || gradedMs > allowedMs) return { visible: unchecked, passed, ms: gradedMs }
    const visible = await runChecks(task, candidate.files, sandbox, signal)
    return { visible, passed, ms: Math.max(gradedMs, performance.now() - started - gradedMs) }
  }
}
