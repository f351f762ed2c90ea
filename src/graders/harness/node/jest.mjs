// Runs specs of Jest in one process and reports their results. A solution that ends the process, prints fake results or changes the
// tests cannot pass. This module is both the entry and `@jest/globals`.
import './random.mjs'
import { installGlobals } from './jest-globals.mjs'
import { beginFile, collected, runTree } from './jest-tree.mjs'
import { acceptJestModules } from './loaders.mjs'
import { createReport } from './report.mjs'
import { openTestFiles, takeJob, watchProcess } from './test-files.mjs'

const { stringify } = JSON
const defer = setImmediate
const { isolated, ...job } = takeJob(new URL('job', import.meta.url))
const report = createReport(job)
const loadModule = isolated ? (await import('./stand-ins.mjs')).connect(report) : async () => {}
const globals = installGlobals()
acceptJestModules(import.meta.url, globals)
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
