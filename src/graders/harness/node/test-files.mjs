// What the programs that run test files in Node have in common: their job, the test files, and how the process may end.
const fs = process.getBuiltinModule('node:fs')
const { pathToFileURL } = process.getBuiltinModule('node:url')

// Stored before the solution runs; see report.mjs.
const { readFileSync, writeFileSync } = fs
const { allSettled } = Promise
const allOf = allSettled.bind(Promise)
const cwd = process.cwd()

/** Returns the job in a file, and removes the file. */
export function takeJob(file) {
  const job = JSON.parse(readFileSync(file, 'utf8'))
  fs.unlinkSync(file)
  return job
}

/** Reports errors outside of every test, and an end of the process before its tests have ended. */
export function watchProcess(report) {
  process.on('unhandledRejection', (error) => report.add('escaped', '', report.describe(error)))
  process.on('uncaughtException', (error) => report.add('escaped', '', report.describe(error)))
  // Nothing is left to do in the process, but a test has not ended: newer Node versions would wait for ever.
  process.on('beforeExit', () => report.finish('stalled'))
  process.on('exit', (code) => report.finish(`unfinished\t${code}`))
}

/**
 * Returns the test files of a job. `eachLoaded` loads them in turn, each after its modules of the solution; `loaded(path)` is called
 * for each that could be loaded, and what it returns is awaited. `isOwn` says whether a path or URL is one of the job's files.
 */
export function openTestFiles({ tests, guarded }, report, loadModule) {
  const originals = guarded.map((path) => [path, readFileSync(path, 'utf8')])
  /** It has no prototype that could add entries. */
  const own = { __proto__: null }
  for (const path of guarded) own[`${cwd}/${path}`] = own[pathToFileURL(path).href] = true

  async function eachLoaded(loaded = () => {}) {
    for (const { path, modules } of tests) {
      restoreChanged()
      if ((await areLaidOut(modules)) && (await load(path))) await loaded(path)
      restoreChanged()
    }
  }

  async function areLaidOut(modules) {
    const all = await allOf(modules.map(loadModule))
    const failed = all.findIndex(({ status }) => status === 'rejected')
    if (failed === -1) return true
    report.add('unloaded', modules[failed], report.describe(all[failed].reason))
    return false
  }

  async function load(path) {
    try {
      await import(pathToFileURL(path))
      return true
    } catch (error) {
      report.add('unloaded', path, report.describe(error))
      return false
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

  return { eachLoaded, loadSetup: load, isOwn: (path) => own[path] === true }
}
