import { canAsk, tellSaving } from './ask.mjs'
import { stageSeconds, startTool } from './start-tool.mjs'
import { isResult } from './state-file.mjs'

/**
 * Less than the stage may take, so that a tool that hangs is reported and not ended with its stage. The build checker may start
 * two programs, and each of them gets this time.
 */
function timeoutOf(name) {
  const seconds = (name === 'build-checker' ? 0.4 : 0.8) * stageSeconds
  return Math.max(0.1, Math.min(240, seconds)).toFixed(1)
}

/**
 * Checks the build of the workspace. Returns the results, unless there is nothing to build or nothing to build it with; and in
 * words, which checkers are `missing`, if any. Those say nothing about the work.
 */
export async function checkBuild(workflow) {
  const { report, ran } = await runTool(workflow, 'build-checker')
  const { raw, ...results } = report
  if (raw === undefined) return { results }
  if (raw.reason.startsWith('nothing to build was found')) return {}
  const absent = [...raw.reason.matchAll(missingChecker)]
  if (absent.length === 0) return { results: report }
  const missing = `${absent.map(([, name]) => name).join(' and ')} ${absent.length === 1 ? 'is' : 'are'} not installed`
  if (!ran) return { missing }
  const reason = raw.reason.replace(missingChecker, '').replace(/^; /, '')
  if (reason !== '') return { missing, results: { ...results, raw: { reason, text: raw.text.trim() } } }
  return { missing, results: { ...results, success: results.summary.errors === 0 } }
}

/** What the build checker says of a program that is not on this machine. */
const missingChecker =
  /(?:^|; )(tsc|vite) is not installed: \w+ is not in node_modules, and \w+ is not on PATH/g

/** Runs the tests of the workspace. Returns undefined if it has none. */
export async function runTests(workflow) {
  const { report: results } = await runTool(workflow, 'test-runner')
  return results.raw?.reason.startsWith('no tests were found') ? undefined : results
}

/** Returns why no test was run, where its runner is not on this machine or is none that bench runs. */
export function missingRunner({ summary, raw }) {
  if (summary.total > 0 || raw === undefined) return undefined
  if (raw.text === '') return /^[\w ]+ is not (?:installed|one of the runners)/.exec(raw.reason)?.[0]
  if (/^(?:spawn |spawnSync )?python3 ENOENT$/.test(raw.text.trim())) return 'python3 is not installed'
  return /^[^\n]*: No module named pytest$/.test(raw.text.trim()) ? 'pytest is not installed' : undefined
}

/**
 * Makes tests from the exports of each file, and runs them, if their runner is here. The files of tests are gone with the copy that
 * they are written in.
 */
export async function testExports(workflow, files) {
  const sources = files.filter((path) => /(?<!\.d)\.(?:[cm]?[jt]s|py)$/.test(path))
  if (sources.length === 0) return {}
  const [generator, runner] = ['test-generator.mjs', 'test-runner.mjs']
  const ended = await startTool(
    workflow,
    ['test-exports.mjs', generator, runner],
    (at, saving, [, output = '']) => [
      ...[
        at('test-exports.mjs'),
        at(generator),
        at(runner),
        timeoutOf('test-runner'),
        saving,
        output,
        ...sources,
      ],
    ],
  )
  const { reports, results } = readJson(ended.stdout) ?? {}
  const isRead = Array.isArray(reports) && reports.every((one) => isResult('test_gen_results', one))
  if (!isRead) return { test_results: noReport('test-generator', ended).report }
  const written = reports.filter(({ success }) => success)
  const wrong = reports.filter(
    (report) => !report.success && !lacksPython(report) && !/exports nothing/.test(report.error),
  )
  if (written.length + wrong.length === 0)
    return reports.some(lacksPython) ? { missing: 'python3 is not installed' } : {}
  const test_gen_results = mergeReports([...written, ...wrong])
  if (wrong.length > 0) return { test_gen_results, test_results: unreadable(wrong) }
  const { report: test_results } = await reportOf('test-runner', {
    ...ended,
    stdout: JSON.stringify(results),
  })
  const missing = missingRunner(test_results)
  return missing === undefined ? { test_gen_results, test_results } : { test_gen_results, missing }
}

/** Python's own parser reads its files. */
const lacksPython = ({ error = '' }) => /spawn(?:Sync)? python3 ENOENT$/.test(error)

/** One report stands for several files: their names in a row, and the sums. */
function mergeReports(reports) {
  const all = (name) => reports.flatMap((report) => report[name] ?? []).join(', ')
  const sum = (name) => reports.reduce((before, { summary }) => before + summary[name], 0)
  const [first] = reports
  return {
    success: reports.every(({ success }) => success),
    target: all('target'),
    ...(first.framework && { framework: first.framework }),
    ...(all('test_file') && { test_file: all('test_file') }),
    summary: { exports: sum('exports'), tests: sum('tests') },
    ...(all('error') && { error: all('error') }),
  }
}

/** A file that cannot be read by a parser counts as a test that failed. */
function unreadable(reports) {
  const failures = reports.map(({ target, error }) => ({
    test_name: `exports of ${target}`,
    file: target,
    error,
  }))
  const { length: total } = failures
  return { success: false, summary: { total, passed: 0, failed: total, skipped: 0 }, failures }
}

/** Runs a tool on the workspace. Returns its report, and whether a program `ran`. */
async function runTool(workflow, name) {
  const words = (at, saving, output) => [
    ...[at(`${name}.mjs`), '--timeout', timeoutOf(name), '--saving', saving, ...output],
  ]
  return await reportOf(name, await startTool(workflow, [`${name}.mjs`], words))
}

const fields = { 'build-checker': 'build_results', 'test-runner': 'test_results' }

/**
 * Returns the report of a tool that has ended, and whether a program `ran`. Bench is told what the report saves. The code that a tool
 * ran may have ended it, or have printed in its place: what is no report is a failure of the work.
 */
async function reportOf(name, ended) {
  const report = readJson(ended.stdout)
  if (!isResult(fields[name], report)) return noReport(name, ended)
  const { rawTokens, compactTokens } = readJson(ended.saving) ?? {}
  // Where nothing ran, nothing is saved.
  const ran = [rawTokens, compactTokens].every((tokens) => Number.isSafeInteger(tokens) && tokens >= 0)
  // An empty file is no output: the tool ended before it could write it.
  const isRaw = ran && Boolean(ended.output)
  const handedOn = isRaw ? rawTokens : compactTokens
  if (canAsk() && ran) await tellSaving({ tool: name, rawTokens, compactTokens: handedOn })
  return { report: isRaw ? { ...report, output: ended.output } : report, ran }
}

function noReport(name, { reason, stdout, stderr }) {
  const text = (stderr || stdout).trim() || 'it printed nothing'
  const raw = { reason: `the ${name} ${reason ?? 'gave no report'}`, text: text.slice(0, 10_000) }
  const counts = { total: 0, passed: 0, failed: 0, skipped: 0 }
  const none = { summary: counts, failures: [] }
  const empty = name === 'build-checker' ? { summary: { errors: 0, warnings: 0 }, errors: [] } : none
  return { report: { success: false, ...empty, raw }, ran: true }
}

function readJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
