import type { Task } from '../schema/task.ts'
import { shorten } from '../text/shorten.ts'
import type { Grader, GraderContext } from './grader.ts'
import { type ReferenceFault, referenceFault } from './reference-fault.ts'
import { countTests, explainTests, runTests } from './test-run/run-tests.ts'

/** Scores the share of hidden tests that pass. */
export const tests: Grader<'tests'> = async ({ spec, task, files, undelivered, shuffle, run, signal }) => {
  const job = { task, spec, files, folder: 'tests' as const, tests: task.hidden.tests, run, signal }
  const result = await runTests({ ...job, shuffle })
  // Without a summary, the exit code of a command counts for all of its tests.
  const uncounted = spec.runner === 'command' && result.results.length === 1 && result.results[0]?.ok
  const expected = uncounted ? 1 : spec.expectTests
  const { passed, total } = countTests(result, expected)
  if (result.ran === 0) await assertReferenceRuns({ spec, task, files, run, signal })
  const oneProcess = task.spec.grading === 'one-process' && spec.runner !== 'command'
  const count = `${passed} of ${total} tests passed${oneProcess ? ' in one process with the solution' : ''}`
  // The tests ran on the task's own files: what failed there says nothing about the work.
  const explained = undelivered === undefined && explainTests(result, expected)
  return {
    name: spec.name,
    value: passed / total,
    reason: shorten([undelivered, explained ? `${count}. ${explained}` : count].filter(Boolean).join('; ')),
    tests: { passed, total },
    ...(oneProcess && { oneProcess }),
  }
}

const referenceFaults = new WeakMap<Task, Promise<ReferenceFault | undefined>>()

/**
 * If no test ran, that is the candidate's fault only if the tests run for the reference solution. Checked once per task. Throws
 * `ReferenceFault` if they do not.
 */
async function assertReferenceRuns({
  spec,
  task,
  run,
  signal,
}: Omit<GraderContext<'tests'>, 'answer'>): Promise<void> {
  const reference = task.hidden.solution?.files
  if (!reference) return
  let fault = referenceFaults.get(task)
  if (!fault) {
    const files = { ...task.files, ...reference }
    const job = { task, spec, files, folder: 'tests' as const, tests: task.hidden.tests, run, signal }
    // The exit code of a command counts for all of its tests.
    fault = runTests(job).then((result) =>
      spec.runner === 'command' ? undefined : referenceFault(job, result, spec.expectTests),
    )
    referenceFaults.set(task, fault)
  }
  const found = await fault
  if (found) throw found
}
