// Runs node:test files in one process and reports their results. A solution that ends the process, prints fake results or changes
// the test tools cannot pass. Hidden tests never share a process with the solution; visible ones do. This module is both the entry
// and the reporter.
import './random.mjs'
import assert from 'node:assert'
import nodeTest from 'node:test'
import { createReport } from './report.mjs'
import { openTestFiles, takeJob, watchProcess } from './test-files.mjs'

// Stored before the solution runs; see report.mjs.
const { test, beforeEach } = nodeTest
const { stringify } = JSON
const defer = setImmediate

const { typescript, lenient, isolated, setup = [], byPath, ...job } = takeJob(new URL('job', import.meta.url))
const report = createReport(job)
const loadModule = isolated ? (await import('./stand-ins.mjs')).connect(report) : async () => {}
if (lenient) (await import('./loaders.mjs')).acceptJestModules()
else if (typescript) (await import('./loaders.mjs')).acceptTypeScript()

for (const judged of [assert, assert.strict, nodeTest]) Object.freeze(judged)

let attach
const attached = new Promise((resolve) => {
  attach = resolve
})

const files = openTestFiles(job, report, loadModule)
watchProcess(report)
// Reports which test ran last, in case the process does not end. The name of the final test is secret.
beforeEach(({ name }) => report.say(name === job.token ? 'ready' : stringify(name)))
report.say('ready')
run()

async function run() {
  await attached
  for (const path of setup) await files.loadSetup(path)
  await files.eachLoaded()
  // Top-level tests run in sequence: when this one runs, all others have ended. Node reports unhandled rejections only after the
  // current event loop iteration, so it waits for one more.
  test(job.token, () => new Promise((resolve) => defer(resolve)))
}

/** Receives node:test's events (`--test-reporter`). */
// biome-ignore lint/correctness/useYield: node:test wants a generator, and what it yields would be printed
export default async function* reporter(events) {
  if (!attach) return
  attach()
  attach = undefined
  const line = []
  for await (const { type, data } of events) {
    // Node tells of a suite before its tests.
    if (type === 'test:start') line.splice(data.nesting, line.length, data.name)
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.name === job.token) return report.finish('finished')
    // Suites are not tests, and tests that the solution adds are not the task's.
    if (data.details?.type === 'suite' || !files.isOwn(data.file)) continue
    const name = byPath
      ? [pathOf(data.file), ...line.slice(0, data.nesting), data.name].join(' > ')
      : data.name
    if (data.skip !== undefined || data.todo !== undefined) report.add('skipped', name, '')
    else if (type === 'test:pass') report.add('passed', name, '')
    else report.add('failed', name, report.describe(data.details.error?.cause ?? data.details.error))
  }
}

const pathOf = (file) => file.replace(/^file:\/\//, '').replace(`${process.cwd()}/`, '')
