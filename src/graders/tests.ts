import type { Grader } from './grader.ts'
import { countTests, explainTests, runTests } from './run-tests.ts'
import { shorten } from './scores.ts'

/** The share of the hidden tests that pass. */
export const tests: Grader<'tests'> = async ({ spec, task, files, run, signal }) => {
  const result = await runTests({ task, spec, files, folder: 'tests', tests: task.hidden.tests, run, signal })
  // A command without a summary of its tests stands for all of them by its exit code.
  const uncounted = spec.runner === 'command' && result.results.length === 1 && result.results[0]?.ok
  const expected = uncounted ? 1 : spec.expectTests
  const { passed, total } = countTests(result, expected)
  const count = `${passed} of ${total} tests passed`
  const explained = explainTests(result, expected)
  return {
    name: spec.name,
    value: passed / total,
    reason: shorten(explained ? `${count}. ${explained}` : count),
    tests: { passed, total },
  }
}
