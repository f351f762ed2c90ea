import { InfrastructureError } from '../text/errors.ts'
import { shorten } from '../text/shorten.ts'
import { explainTests } from './test-run/run-tests.ts'
import { type TestJob, type TestRun, testTexts } from './test-run/test-job.ts'

/** A task's own reference does not get through its hidden tests, so they can grade nothing. */
export class ReferenceFault extends InfrastructureError {
  /** What is wrong with the reference or the tests. */
  readonly what: string
  /** What its run gave; of several lines. */
  readonly details: string
  constructor(ref: string, what: string, details: string) {
    super(`${ref}: ${what}: ${shorten(details)}`)
    this.what = what
    this.details = shorten(details)
  }
}

/** Returns what kept hidden tests from running for a reference solution; undefined if all of them ran. */
export function referenceFault(job: TestJob, run: TestRun, expected: number): ReferenceFault | undefined {
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
