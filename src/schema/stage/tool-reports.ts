import { z } from 'zod'

const count = z.int().nonnegative()

/** Output of a tool that was not understood, whole, and why. */
export const RawOutput = z.strictObject({ reason: z.string(), text: z.string() })
export type RawOutput = z.infer<typeof RawOutput>

/** What the tool printed, where agents read that in place of the report (`reports=raw` of `chained`). */
const output = z.string().optional()

/** A test that failed. `line` is the line of the failure in `file`, else the line where the test is declared. */
export const TestFailure = z.strictObject({
  test_name: z.string(),
  /** Empty if the test runner does not say it. */
  file: z.string(),
  line: z.int().positive().optional(),
  error: z.string(),
})
export type TestFailure = z.infer<typeof TestFailure>

/** What the test runner reports, under the state key `test_results`. */
export const TestResults = z.strictObject({
  success: z.boolean(),
  summary: z.strictObject({ total: count, passed: count, failed: count, skipped: count }),
  failures: z.array(TestFailure),
  /** Runners for which there are tests that were not run, and why. */
  not_run: z.array(z.string()).optional(),
  output,
  raw: RawOutput.optional(),
})
export type TestResults = z.infer<typeof TestResults>

/** An error of a build. An error of the whole build has no file; not every tool says line, column and code. */
export const BuildError = z.strictObject({
  file: z.string().optional(),
  line: z.int().positive().optional(),
  column: count.optional(),
  code: z.string().optional(),
  message: z.string(),
})
export type BuildError = z.infer<typeof BuildError>

/** What the build checker reports, under the state key `build_results`. */
export const BuildResults = z.strictObject({
  success: z.boolean(),
  summary: z.strictObject({ errors: count, warnings: count }),
  errors: z.array(BuildError),
  output,
  raw: RawOutput.optional(),
})
export type BuildResults = z.infer<typeof BuildResults>

/** What the test generator reports, under the state key `test_gen_results`. */
export const TestGenResults = z.strictObject({
  success: z.boolean(),
  target: z.string(),
  framework: z.enum(['node:test', 'vitest', 'pytest']).optional(),
  /** The file that was written. */
  test_file: z.string().optional(),
  summary: z.strictObject({ exports: count, tests: count }),
  /** Why no test was written. */
  error: z.string().optional(),
})
export type TestGenResults = z.infer<typeof TestGenResults>
