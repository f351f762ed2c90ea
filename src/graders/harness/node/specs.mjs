// Loads the files of specs one after the other, runs their tests and reports the results.
import { runTree } from './jest-run.mjs'
import { beginFile, collected, collectLater } from './jest-tree.mjs'
import { createReport } from './report.mjs'
import { openTestFiles, takeJob, watchProcess } from './test-files.mjs'

const { stringify } = JSON
const defer = setImmediate

/** Takes the job, and returns what the programs of Jest and Vitest need to begin. */
export function openSpecs() {
  const { isolated, setup = [], byPath = false, timeoutMs, ...job } = takeJob(new URL('job', import.meta.url))
  return { isolated, setup, byPath, timeoutMs, job, report: createReport(job) }
}

/** Runs the specs of a job. `api`: see `runTree`; its `endFile()` undoes what a file has left behind. */
export async function runSpecs({ job, report, setup, byPath, timeoutMs, loadModule }, api) {
  const files = openTestFiles(job, report, loadModule)
  watchProcess(report)
  report.say('ready')
  beginFile()
  // Node loads a module once, so the hooks of a setup file are kept for all specs.
  for (const path of setup) await files.loadSetup(path)
  const { hooks } = collected()
  beginFile(hooks)
  await files.eachLoaded(async (path) => {
    const named = (name) => (byPath ? `${path} > ${name}` : name)
    try {
      await collectLater()
    } catch (error) {
      report.add('unloaded', path, report.describe(error))
      beginFile(hooks)
      return
    }
    await runTree(
      collected(),
      {
        begin: (name) => report.say(stringify(named(name))),
        skipped: (name) => report.add('skipped', named(name), ''),
        passed: (name) => report.add('passed', named(name), ''),
        failed: (name, error) => report.add('failed', named(name), report.describe(error)),
      },
      { ...api, timeoutMs },
    )
    api.endFile?.()
    beginFile(hooks)
  })
  // Node reports unhandled rejections only after the current event loop iteration.
  await new Promise((resolve) => defer(resolve))
  report.say('ready')
  report.finish('finished')
}
