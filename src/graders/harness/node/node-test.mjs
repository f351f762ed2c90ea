// Runs node:test files in one process and reports their results. A solution that ends the process, prints fake results or changes
// the test tools cannot pass. Hidden tests never share a process with the solution; visible ones do. This module is both the entry
// and the reporter.
import './random.mjs'
import assert from 'node:assert'
import nodeTest from 'node:test'
import { createReport } from './report.mjs'

const fs = process.getBuiltinModule('node:fs')
const { pathToFileURL } = process.getBuiltinModule('node:url')

// Stored before the solution runs; see report.mjs.
const { readFileSync, writeFileSync } = fs
const { test, beforeEach } = nodeTest
const { stringify } = JSON
const defer = setImmediate
const cwd = process.cwd()

const jobFile = new URL('job', import.meta.url)
const { tests, guarded, typescript, isolated, ...secrets } = JSON.parse(readFileSync(jobFile, 'utf8'))
fs.unlinkSync(jobFile)
const report = createReport(secrets)
const loadModule = isolated ? (await import('./stand-ins.mjs')).connect(report) : async () => {}
if (typescript) (await import('./typescript.mjs')).acceptTypeScript()

for (const judged of [assert, assert.strict, nodeTest]) Object.freeze(judged)

let attach
const attached = new Promise((resolve) => {
  attach = resolve
})

const originals = guarded.map((path) => [path, readFileSync(path, 'utf8')])
/** Files whose tests count. It has no prototype that could add entries. */
const own = { __proto__: null }
for (const path of guarded) own[`${cwd}/${path}`] = own[pathToFileURL(path).href] = true

process.on('unhandledRejection', (error) => report.add('escaped', '', report.describe(error)))
process.on('uncaughtException', (error) => report.add('escaped', '', report.describe(error)))
// Nothing is left to do in the process, but a test has not ended: newer Node versions would wait for ever.
process.on('beforeExit', () => report.finish('stalled'))
process.on('exit', (code) => report.finish(`unfinished\t${code}`))
// Reports which test ran last, in case the process does not end. The name of the final test is secret.
beforeEach(({ name }) => report.say(name === secrets.token ? 'ready' : stringify(name)))
report.say('ready')
run()

async function run() {
  await attached
  for (const { path, modules } of tests) {
    restoreChanged()
    if (await areLaidOut(modules)) await load(path)
    restoreChanged()
  }
  // Top-level tests run in sequence: when this one runs, all others have ended. Node reports unhandled rejections only after the
  // current event loop iteration, so it waits for one more.
  test(secrets.token, () => new Promise((resolve) => defer(resolve)))
}

async function areLaidOut(modules) {
  const all = await Promise.allSettled(modules.map(loadModule))
  const failed = all.findIndex(({ status }) => status === 'rejected')
  if (failed === -1) return true
  report.add('unloaded', modules[failed], report.describe(all[failed].reason))
  return false
}

async function load(path) {
  try {
    await import(pathToFileURL(path))
  } catch (error) {
    report.add('unloaded', path, report.describe(error))
  }
}

/** Receives node:test's events (`--test-reporter`). */
// biome-ignore lint/correctness/useYield: node:test wants a generator, and what it yields would be printed
export default async function* reporter(events) {
  if (!attach) return
  attach()
  attach = undefined
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.name === secrets.token) return report.finish('finished')
    // Suites are not tests, and tests that the solution adds are not the task's.
    if (data.details?.type === 'suite' || own[data.file] !== true) continue
    if (data.skip !== undefined || data.todo !== undefined) report.add('skipped', data.name, '')
    else if (type === 'test:pass') report.add('passed', data.name, '')
    else report.add('failed', data.name, report.describe(data.details.error?.cause ?? data.details.error))
  }
}

/** Reports test files that the solution changed, and restores them before they are used. */
function restoreChanged() {
  for (const [path, text] of originals) {
    let now
    try {
      now = readFileSync(path, 'utf8')
    } catch {}
    if (now === text) continue
    report.add('changed', path, '')
    writeFileSync(path, text)
  }
}
