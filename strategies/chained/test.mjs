// Runs the tests of the workspace; without tests, the task's visible checks and tests that are made from the exports.
import { canAsk, check } from './ask.mjs'
import { runStage } from './run-stage.mjs'
import { lacksRunner, runTests, testExports } from './run-tool.mjs'
import { commitWork } from './work-context.mjs'

await runStage('test', { asks: false }, async (workflow) => {
  const { test_results: _, test_gen_results: __, ...state } = workflow.state
  const own = await runTests(workflow)
  // Tests that cannot be run here say nothing about the work; the checks of the task may.
  const checks = own && !lacksRunner(own) ? undefined : await runChecks()
  if (own && !checks) return ended({ ...state, test_results: own })
  const { files } = await commitWork(workflow)
  const { test_results: made, test_gen_results } = await testExports(workflow, files)
  // Beside checks, a file that no test can be made for says nothing either.
  const counts = checks && made && test_gen_results.success
  const test_results = counts ? join(checks, made) : (checks ?? made)
  return ended({
    ...state,
    ...(test_gen_results && { test_gen_results }),
    ...(test_results && { test_results }),
  })
})

/** One report for the visible checks and the tests that were made. */
function join(checks, made) {
  const names = ['total', 'passed', 'failed', 'skipped']
  const raw = checks.raw ?? made.raw
  return {
    success: checks.success && made.success,
    summary: Object.fromEntries(names.map((name) => [name, checks.summary[name] + made.summary[name]])),
    failures: [...checks.failures, ...made.failures],
    ...(raw && { raw }),
  }
}

function ended(state) {
  const { test_results: results } = state
  if (!results && state.test_gen_results)
    return {
      state,
      detail: 'the tests that were made cannot be run here: their test runner is not installed',
    }
  if (!results) return { state, detail: 'there is nothing to test' }
  const { summary, success, raw } = results
  const detail = `${summary.passed} of ${summary.total} tests passed${raw ? `; ${raw.reason}` : ''}`
  return { state, failed: !success, detail }
}

/** Returns the result of the task's visible checks in the form of test results; undefined if there are none. */
async function runChecks() {
  if (!canAsk()) return undefined
  const { status, passed, total, output } = await check()
  if (status === 'none') return undefined
  const success = status === 'passed'
  const raw = { reason: 'the visible checks of the task failed', text: output }
  const summary = { total, passed, failed: total - passed, skipped: 0 }
  return { success, summary, failures: [], ...(!success && { raw }) }
}
