import type { TryCandidate } from '../agents/mutant-pool.ts'
import { runChecks } from '../graders/check.ts'
import { grade } from '../graders/grade.ts'
import type { SandboxRun } from '../sandbox/sandbox.ts'

/** Really checks and grades a candidate outside any trial: the simulated agents learn so which mutants are wrong. */
export function tryCandidate(sandbox: SandboxRun): TryCandidate {
  return async (task, candidate) => {
    const signal = new AbortController().signal
    const started = performance.now()
    if ('answer' in candidate) {
      const { passed } = await grade(task, { files: task.files, answer: candidate.answer, run: sandbox, signal })
      return { visible: { status: 'none', passed: 0, total: 0, output: '' }, passed: passed === true, ms: performance.now() - started }
    }
    const graded = await grade(task, { files: candidate.files, answer: undefined, run: sandbox, signal })
    const ms = performance.now() - started
    const visible = await runChecks(task, candidate.files, sandbox, signal)
    return { visible, passed: graded.passed === true, ms }
  }
}
