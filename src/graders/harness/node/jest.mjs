// Runs specs of Jest in one process and reports their results. A solution that ends the process, prints fake results or changes the
// tests cannot pass. This module is both the entry and `@jest/globals`.
import './random.mjs'
import { installGlobals } from './jest-globals.mjs'
import { acceptJestModules } from './jest-modules.mjs'
import { runTree } from './jest-run.mjs'
import { beginFile, collected } from './jest-tree.mjs'
import { createReport } from './report.mjs'
import { openTestFiles, takeJob, watchProcess } from './test-files.mjs'

const { stringify } = JSON
const defer = setImmediate
const { isolated, ...job } = takeJob(import.meta.url)
const report = createReport(job)
const loadModule = isolated ? (await import('./stand-ins.mjs')).connect(report) : async () => {}
acceptJestModules(import.meta.url)
const globals = installGlobals()
const files = openTestFiles(job, report, loadModule)
watchProcess(report)
report.say('ready')

export const { expect, jest, describe, test, it, fdescribe, xdescribe, fit, xit, xtest } = globals
export const { beforeAll, beforeEach, afterEach, afterAll } = globals

run()

async function run() {
  beginFile()
  await files.eachLoaded(async () => {
    await runTree(collected(), {
      begin: (name) => report.say(stringify(name)),
      skipped: (name) => report.add('skipped', name, ''),
      passed: (name) => report.add('passed', name, ''),
      failed: (name, error) => report.add('failed', name, report.describe(error)),
    })
    beginFile()
  })
  // Node reports unhandled rejections only after the current event loop iteration.
  await new Promise((resolve) => defer(resolve))
  report.say('ready')
  report.finish('finished')
}
