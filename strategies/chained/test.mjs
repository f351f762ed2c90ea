// Runs the tests of the workspace; without tests, the task's visible checks and tests that are made from the exports.
import { canAsk, check } from './ask.mjs'
import { runStage } from './run-stage.mjs'
import { missingRunner, runTests, testExports } from './run-tool.mjs'
import { commitWork } from './work-context.mjs'

await runStage('test', { asks: false }, async (workflow) => {
  const { test_results: _, test_gen_results: __, ...state } = workflow.state
  const own = await runTests(workflow)
  const missing = own && missingRunner(own)
  if (own && !missing) return ended({ ...state, test_results: own })
  // Tests that cannot be run here say nothing about the work; checks and tests that are made may.
  const checks = await runChecks()
  const { files } = await commitWork(workflow)
  const { test_results: made, test_gen_results, missing: missingForMade } = await testExports(workflow, files)
  // Beside checks, a file that no test can be made for says nothing either.
  const counts = checks && made && test_gen_results?.success
  const test_results = counts ? join(checks, made) : (checks ?? made)
  const next = {
    ...state,
    ...(test_gen_results && { test_gen_results }),
    ...(test_results && { test_results }),
  }
  return ended(next, missing ?? missingForMade)
})

function join(checks, made) {
  const names = ['total', 'passed', 'failed', 'skipped']
  const raw = checks.raw ?? made.raw
  return {
    success: checks.success && made.success,
    summary: Object.fromEntries(names.map((name) => [name, checks.summary[name] + made.summary[name]])),
    failures: [...checks.failures, ...made.failures],
    ...(made.output !== undefined && { output: made.output }),
    ...(raw && { raw }),
  }
}

/** `missing` says why the workspace's own tests were not run. */
function ended(state, missing) {
  const { test_results: results } = state
  if (!results)
    return {
      state,
      detail: missing ? `${missing}: nothing could be tested` : 'there is nothing to test',
    }
  const parts = [countText(results), results.raw?.reason, missing, ...(results.not_run ?? [])]
  return { state, failed: !results.success, detail: parts.filter(Boolean).join('; ') }
}

/** Skipped tests are neither good nor bad. */
function countText({ success, summary: { total, passed, skipped }, raw }) {
  if (total === 0) return raw ? undefined : `the visible checks ${success ? 'passed' : 'failed'}`
  const ran = total - skipped
  const were = `${skipped} ${skipped === 1 ? 'was' : 'were'} skipped`
  if (skipped === 0) return `${passed} of ${ran} tests passed`
  if (passed === ran) return `${passed} ${passed === 1 ? 'test' : 'tests'} passed, ${were}`
  return `${passed} of ${ran} tests passed, ${were}`
}

async function runChecks() {
  if (!canAsk()) return undefined
  const { status, passed, total, output } = await check()
  if (status === 'none') return undefined
  const success = status === 'passed'
  const raw = { reason: 'the visible checks of the task failed', text: output }
  const summary = { total, passed, failed: total - passed, skipped: 0 }
  return { success, summary, failures: [], ...(!success && { raw }) }
}
