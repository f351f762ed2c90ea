import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canAsk, tellSaving } from './ask.mjs'
import { copyWork, listWork } from './work-files.mjs'

/** Less than a stage may take, so that a tool that hangs is reported and not ended with its stage. */
const timeoutSeconds = 240

/** Checks the build of the workspace. Returns undefined if there is nothing to build. */
export async function checkBuild(workflow) {
  const results = await runTool(workflow, copyOf(workflow), 'build-checker')
  return results.raw?.reason.startsWith('nothing to build was found') ? undefined : results
}

/** Runs the tests of the workspace. Returns undefined if it has none. */
export async function runTests(workflow) {
  const results = await runTool(workflow, copyOf(workflow), 'test-runner')
  return results.raw?.reason.startsWith('no tests were found') ? undefined : results
}

/** Whether no test was run, since the test runner is not on this machine. */
export const lacksRunner = ({ summary, raw }) =>
  summary.total === 0 &&
  raw !== undefined &&
  (/is not installed/.test(raw.reason) || /No module named ['"]?pytest/.test(raw.text))

/**
 * Makes tests from the exports of each file, and runs them, if their runner is here. The files of tests are gone with the copy that
 * they are written in.
 */
export async function testExports(workflow, files) {
  const folder = copyOf(workflow)
  const sources = files.filter(
    (path) => /(?<!\.d)\.(?:[cm]?[jt]s|py)$/.test(path) && existsSync(join(folder, path)),
  )
  const reports = []
  for (const path of sources)
    reports.push(await runTool(workflow, folder, 'test-generator', ['--target-path', path]))
  const written = reports.filter(({ success }) => success)
  const wrong = reports.filter(({ success, error = '' }) => !success && !/exports nothing/.test(error))
  if (written.length + wrong.length === 0) return {}
  const test_gen_results = mergeReports([...written, ...wrong])
  if (wrong.length > 0) return { test_gen_results, test_results: unreadable(wrong) }
  const test_results = await runTool(workflow, folder, 'test-runner')
  return lacksRunner(test_results) ? { test_gen_results } : { test_gen_results, test_results }
}

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

/** Copies the workspace: what tools and tests write is no work. */
function copyOf({ workspace, scratch }) {
  const folder = join(mkdtempSync(join(scratch, 'copy-')), 'workspace')
  copyWork(
    workspace,
    folder,
    listWork(workspace).map(({ path }) => path),
  )
  return folder
}

/** Runs a tool in a folder, and returns its report. Bench is told what the report saves. */
async function runTool({ scratch }, folder, name, words = []) {
  const saving = join(mkdtempSync(join(scratch, 'saving-')), 'saving.json')
  const starts = name !== 'test-generator'
  const options = starts ? ['--timeout', `${timeoutSeconds}`, '--saving', saving] : []
  const { stdout, stderr } = await runNode([findTool(name), ...options, ...words], folder)
  let report
  try {
    report = JSON.parse(stdout)
  } catch {
    throw new Error(`the ${name} gave no report: ${(stderr || stdout).trim() || 'it printed nothing'}`)
  }
  // Where nothing ran, nothing is saved.
  if (canAsk() && existsSync(saving)) await tellSaving(JSON.parse(readFileSync(saving, 'utf8')))
  return report
}

/** Under bench the tools are beside this file; in a checkout, where they are built. */
function findTool(name) {
  const places = [`${name}.mjs`, `../../dist/bench/tools/${name}.mjs`]
  const found = places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((path) => existsSync(path))
  if (found === undefined)
    throw new Error(`${name}.mjs is missing; run \`npm run prepare\` in the checkout of bench`)
  return found
}

/** Tools that run now. */
const running = new Set()
let isEnding = false

/** Ends the tools that run, and waits for them: each ends what it has started. Nothing that waits for a tool goes on. */
export async function endTools(signal) {
  isEnding = true
  for (const { child } of running) child.kill(signal)
  const late = setTimeout(() => {
    for (const { child } of running) child.kill('SIGKILL')
  }, 5000)
  await Promise.all([...running].map(({ closed }) => closed))
  clearTimeout(late)
}

/** Tests are code of agents: they get neither the state nor the socket. A tool ends itself when the channel to it is lost. */
function runNode(words, cwd) {
  const { BENCH_STATE: _, BENCH_SOCKET: __, BENCH_STAGE: ___, ...env } = process.env
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => {
        texts[name] += text
      })
    const tool = { child, closed: new Promise((done) => child.on('close', done)) }
    running.add(tool)
    child.on('error', reject)
    child.on('close', () => {
      running.delete(tool)
      if (!isEnding) resolve(texts)
    })
  })
}
