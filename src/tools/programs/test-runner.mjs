// Runs the tests of the current folder by the runner that it is written for, and prints the failures alone as one line of JSON.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { steadyWorkspace } from '../steady-text.ts'
import { readTestResults } from '../tests/test-results.ts'
import { testCommands } from './commands.mjs'
import { findProgram, findTestRunner } from './find-tools.mjs'
import { endWith, readFlags, refuse, timeoutOf, writeSaving } from './program-end.mjs'
import { runProgram, withoutPlaces, withTemporaryFolder } from './run-program.mjs'

const names = Object.keys(testCommands)
const usage = `usage: node test-runner.mjs [--runner ${names.join('|')}] [--timeout SECONDS] [--saving FILE] [-- FILES AND OPTIONS OF THE RUNNER]`
const { runner, timeout, saving, words } = readFlags(usage, ['runner', 'timeout', 'saving'])
if (runner !== undefined && !names.includes(runner))
  refuse(usage, `--runner ${runner} is unknown. Use ${names.join(', ')}.`)
const timeoutMs = timeoutOf(usage, timeout)
const workspace = process.cwd()
const found = findTestRunner(workspace)

const { report, output } = await run(runner ?? found?.name)
endWith(report)
writeSaving(saving, 'test-runner', output, report)

async function run(name) {
  if (name === undefined)
    return unable('no tests were found: there are no test files of vitest, node:test or pytest here')
  const programs = {
    node: process.execPath,
    python: 'python3',
    vitest: findProgram(workspace, 'vitest', 'vitest'),
  }
  if (name === 'vitest' && programs.vitest === undefined)
    return unable('vitest is not installed: it is neither in node_modules nor on PATH')
  const files = words.length > 0 || name !== 'node:test' ? words : (found?.files ?? [])
  const typescript = files.some((path) => /\.[cm]?ts$/.test(path)) && !process.features.typescript
  const loader = new URL('./accept-typescript.mjs', import.meta.url)
  if (typescript && !existsSync(loader))
    return unable(
      'tests in TypeScript need accept-typescript.mjs beside test-runner.mjs: this Node runs no TypeScript',
    )
  return await withTemporaryFolder(async (folder) => {
    const junit = join(folder, 'junit.xml')
    const command = testCommands[name](junit, { ...programs, ...(typescript && { loader }) }, files)
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
