import type { TestFailure } from '../../src/schema/stage/tool-reports.ts'

/** What a test runner's JUnit XML and output come to. */
export interface SuiteRun {
  failures: readonly TestFailure[]
  /** More than passed, failed and were skipped, if some never ran. */
  total: number
  passed: number
  skipped: number
  /** What the output says beside the tests, which no failure holds; and why it matters. */
  beside?: { reason: string; text: string }
}
