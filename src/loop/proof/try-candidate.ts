import type { CandidateRunner } from '../../agents/mutants/mutant-pool.ts'
import { runChecks } from '../../graders/check.ts'
import { grade } from '../../graders/grade.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'

const unchecked = { status: 'none', passed: 0, total: 0, output: '' } as const

/** Really checks and grades a candidate outside any trial: the simulated agents learn so which mutants are wrong. */
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
    // What passes is no wrong candidate, whatever the visible checks say of it.
    if ((passed && !always) || gradedMs > allowedMs) return { visible: unchecked, passed, ms: gradedMs }
    const visible = await runChecks(task, candidate.files, sandbox, signal)
    return { visible, passed, ms: Math.max(gradedMs, performance.now() - started - gradedMs) }
  }
}
