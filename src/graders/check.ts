import type { SandboxRun } from '../sandbox/sandbox.ts'
import type { Files, Task } from '../schema/task.ts'
import type { CheckResult } from '../strategy.ts'
import { cutMiddle } from '../text/shorten.ts'
import { finalFiles } from './grader.ts'

const longestOutput = 4000

/** Runs the task's visible checks on a copy of files, by the same rules as grading. The status is `none` if the task has none. */
export async function runChecks(
  task: Task,
  files: Files,
  run: SandboxRun,
  signal: AbortSignal,
): Promise<CheckResult> {
  const spec = task.spec.checks
  if (!spec) return { status: 'none', passed: 0, total: 0, output: '' }
  const { countTests, explainTests, runTests } = await import('./test-run/run-tests.ts')
  const job = {
    task,
    spec,
    files: finalFiles(task, files),
    folder: 'checks' as const,
    tests: task.checks,
    run,
    signal,
  }
  const result = await runTests(job)
  const expected = spec.expectTests ?? 1
  const { passed, total } = countTests(result, expected)
  const status = passed === total ? 'passed' : 'failed'
  return { status, passed, total, output: cutMiddle(explainTests(result, expected), longestOutput) }
}
