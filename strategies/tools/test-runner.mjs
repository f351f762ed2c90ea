// Runs the tests of the current folder by the runners that they are written for, and prints the failures alone as one line of JSON.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findTestRunners } from './find-tests.mjs'
import { findProgram, junitReporter, testCommands } from './find-tools.mjs'
import {
  endWith,
  readFlags,
  refuse,
  runProgram,
  timeoutOf,
  withoutPlaces,
  withTemporaryFolder,
  writeOutput,
  writeSaving,
} from './run-program.mjs'
import { steadyWorkspace } from './steady-text.ts'
import { mergeTestResults, readTestResults } from './test-results.ts'

const names = Object.keys(testCommands)
const usage = `usage: node test-runner.mjs [--runner ${names.join('|')}] [--timeout SECONDS] [--saving FILE] [--output FILE] [-- FILES AND OPTIONS OF THE RUNNER]`
const {
  runner,
  timeout,
  saving,
  output: outputFile,
  words,
} = readFlags(usage, ['runner', 'timeout', 'saving', 'output'])
if (runner !== undefined && !names.includes(runner))
  refuse(usage, `--runner ${runner} is unknown. Use ${names.join(', ')}.`)
const timeoutMs = timeoutOf(usage, timeout)
const workspace = process.cwd()
const found = findTestRunners(workspace)
const filesOfNode = found.runners.find(({ name }) => name === 'node:test')?.files ?? []

const { report, output } = await (runner ? run(runner) : runAll())
endWith(report)
writeSaving(saving, 'test-runner', output, report)
writeOutput(outputFile, output)

/** Files and options that are given are for one runner. */
async function runAll() {
  const [first, ...more] = found.runners
  if (first === undefined)
    return unable(
      found.others.length > 0
        ? `${found.others.join(' and ')} is not one of the runners: these are vitest, node:test and pytest`
        : 'no tests were found: there are no test files of vitest, node:test or pytest here',
    )
  const chosen = words.length > 0 ? [first] : [first, ...more]
  const runs = []
  for (const { name } of chosen) runs.push({ name, ...(await run(name)) })
  const outputs = runs.flatMap((one) => one.output ?? [])
  const merged = mergeTestResults(runs, words.length > 0 ? [] : found.others)
  return { report: merged, ...(outputs.length > 0 && { output: outputs.join('\n') }) }
}

async function run(name) {
  const programs = {
    node: process.execPath,
    python: 'python3',
    vitest: findProgram(workspace, 'vitest', 'vitest'),
  }
  if (name === 'vitest' && programs.vitest === undefined)
    return unable('vitest is not installed: it is neither in node_modules nor on PATH')
  const files = words.length > 0 || name !== 'node:test' ? words : filesOfNode
  const typescript = files.some((path) => /\.[cm]?ts$/.test(path)) && !process.features.typescript
  const loader = new URL('./accept-typescript.mjs', import.meta.url)
  if (typescript && !existsSync(loader))
    return unable(
      'tests in TypeScript need accept-typescript.mjs beside test-runner.mjs: this Node runs no TypeScript',
    )
  return await withTemporaryFolder(async (folder) => {
    const junit = join(folder, 'junit.xml')
    const reporter = name === 'vitest' && junitReporter(junit, programs.vitest)
    const given = { ...programs, ...(reporter && { reporter }), ...(typescript && { loader }) }
    const command = testCommands[name](junit, given, files)
    const ended = await runProgram(command, timeoutMs)
    const xml = existsSync(junit) ? withoutPlaces(readFileSync(junit, 'utf8')) : undefined
    const report = readTestResults({ ...ended, tool: name, junit: xml, workspace: steadyWorkspace })
    return { report, output: ended.output }
  })
}

function unable(reason) {
  const summary = { total: 0, passed: 0, failed: 0, skipped: 0 }
  return { report: { success: false, summary, failures: [], raw: { reason, text: '' } } }
}
