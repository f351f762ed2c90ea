// Writes a file for each of the solution's modules that tests import. It exports the same names, as stand-ins for the values in the
// other process.

import { isStandIn } from './builtins.mjs'
import { createChannel, keepChannelClear } from './channel.mjs'
import { createLink } from './link.mjs'

const { mkdirSync, readFileSync, writeFileSync } = process.getBuiltinModule('node:fs')
const { dirname } = process.getBuiltinModule('node:path')

const originalSetImmediate = setImmediate
/** How long the other process may run before timers of this one run; ms. */
const patience = 2
const loadedModules = new Map()
// A global, since not every module could import it.
const registry = Symbol.for('bench.modules')
Object.defineProperty(globalThis, registry, { value: loadedModules })

/** Connects with the solution's process. Returns a function that loads one of its modules and writes the stand-in. */
export function connect(report) {
  keepChannelClear()
  ignoreForeignChecks()
  let scheduled = false
  const link = createLink({
    side: 'tests',
    channel: createChannel(),
    answers: {
      ready: ([folder]) => report.setSolutionFolder(folder),
      escaped: ([error]) => report.add('escaped', '', report.describe(error)),
    },
    ended: () => report.finish('gone'),
    confused: ({ message }) => {
      report.add('confused', '', message)
      report.finish('gone')
    },
    sent: schedule,
  })

  // The other process runs only on request, until it reports that nothing is left to do.
  function schedule() {
    if (scheduled) return
    scheduled = true
    originalSetImmediate(() => {
      scheduled = false
      if (link.ask('turn', patience) !== true) schedule()
    })
  }

  /** Rejects with what the module threw while it was loaded. */
  return async function loadModule(path) {
    if (loadedModules.has(path)) return loadedModules.get(path)
    const loading = link.ask('load', path).then(([names]) => {
      loadedModules.set(path, names)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, standIn(path, names))
    })
    loadedModules.set(path, loading)
    return loading
  }
}

/**
 * Whether Node treats a module as CommonJS. The harness's folder has its own package.json, so the nearest one of a module is the
 * workspace's. Without a type there, Node inspects the module.
 */
function isCommonJs(path, names) {
  if (!/\.js$/.test(path)) return /\.cjs$/.test(path)
  let type
  try {
    type = JSON.parse(readFileSync('package.json', 'utf8')).type
  } catch {}
  return type === 'commonjs' || (type !== 'module' && holdsAll(names))
}

/** Whether the default export, which is all that CommonJS exports, has the other names as properties. */
const holdsAll = ({ default: all, ...others }) => {
  const exported = Object(all)
  return Object.keys(others).every((name) => notExported.has(name) || name in exported)
}

/** Names that Node adds to the exports of a CommonJS module. */
const notExported = new Set(['default', 'module.exports'])

function standIn(path, names) {
  const from = `globalThis[Symbol.for(${JSON.stringify(registry.description)})].get(${JSON.stringify(path)})`
  const all = Object.keys(names)
  if (isCommonJs(path, names)) {
    // These lines only declare the names for `import { … }`. They use brackets, since a name may be any text.
    const known = all
      .filter((name) => !notExported.has(name))
      .map((name) => `0 && (exports[${JSON.stringify(name)}] = 0)\n`)
    return `const loaded = ${from}\nmodule.exports = 'default' in loaded ? loaded.default : { ...loaded }\n${known.join('')}`
  }
  const exported = all.map(
    (name, at) =>
      `const e${at} = loaded[${JSON.stringify(name)}]\nexport { e${at} as ${JSON.stringify(name)} }\n`,
  )
  return `const loaded = ${from}\n${exported.join('')}`
}

const { syncBuiltinESMExports } = process.getBuiltinModule('node:module')

/** Changes the assertions that call a check on an error. */
function ignoreForeignChecks() {
  const assert = process.getBuiltinModule('node:assert')
  for (const name of ['throws', 'rejects', 'doesNotThrow', 'doesNotReject']) {
    const original = assert[name]
    const guarded = (work, check, ...more) =>
      original(work, isStandIn(check) ? classOf(check) : check, ...more)
    for (const judged of [assert, assert.strict]) judged[name] = guarded
  }
  syncBuiltinESMExports()
}

const classOf = (check) => (error) => error instanceof check
