import type { Task } from '../schema/task.ts'
import { InfrastructureError } from '../text/errors.ts'
import { cutMiddle } from '../text/shorten.ts'
import type { Grader, GraderContext } from './grader.ts'
import { countTests, explainTests, runTests } from './test-run/run-tests.ts'
import { type TestJob, type TestRun, testTexts } from './test-run/test-job.ts'

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
    reason: cutMiddle([undelivered, explained ? `${count}. ${explained}` : count].filter(Boolean).join('; ')),
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

/** A task's own reference does not get through its hidden tests, so they can grade nothing. */
export class ReferenceFault extends InfrastructureError {
  /** What is wrong with the reference or the tests. */
  readonly what: string
  /** What its run gave; of several lines. */
  readonly details: string
  constructor(ref: string, what: string, details: string) {
    super(`${ref}: ${what}: ${cutMiddle(details)}`)
    this.what = what
    this.details = cutMiddle(details)
  }
}

function referenceFault(job: TestJob, run: TestRun, expected: number): ReferenceFault | undefined {
  if (run.ran >= expected) return undefined
  const tests = testTexts(job)
  const isLoaded = run.results.every(({ name, message }) => name in tests || !message.startsWith('could not'))
  const what =
    run.fault !== undefined
      ? 'its reference solution does not complete the hidden tests'
      : isLoaded
        ? 'its hidden tests do not run for its reference solution'
        : 'its reference solution cannot be loaded'
  return new ReferenceFault(job.task.ref, what, explainTests(run, expected))
}
