// Puts a file in the place of each of the solution's modules that tests import, with the same names: what it exports
// are stand-ins for what the other process holds.
import { createChannel, keepChannelClear } from './channel.mjs'
import { createLink } from './link.mjs'

const { mkdirSync, readFileSync, writeFileSync } = process.getBuiltinModule('node:fs')
const { dirname } = process.getBuiltinModule('node:path')

const soon = setImmediate
/** How long the other process may work by itself before this one's timers get their turn; ms. */
const patience = 2
const held = new Map()
// A global, since not every module could import it.
const registry = Symbol.for('bench.modules')
Object.defineProperty(globalThis, registry, { value: held })

/** Connects with the process that holds the solution. Gives what loads a module of it and lays out its stand-in. */
export function connect(report) {
  keepChannelClear()
  let scheduled = false
  const link = createLink({
    parity: 1,
    stacks: false,
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

  // Nothing goes on over there without us: once it says that it has nothing left to do, it is left alone.
  function schedule() {
    if (scheduled) return
    scheduled = true
    soon(() => {
      scheduled = false
      if (link.ask('turn', patience) !== true) schedule()
    })
  }

  /** Rejects with what the module threw while it was loaded. */
  return async function layOut(path) {
    if (held.has(path)) return held.get(path)
    const loading = link.ask('load', path).then(([names]) => {
      held.set(path, names)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, standIn(path, Object.keys(names)))
    })
    held.set(path, loading)
    return loading
  }
}

/** The harness's folder has its own package.json, so the nearest one of a module is the workspace's. */
function isCommonJs(path) {
  if (!/\.js$/.test(path)) return /\.cjs$/.test(path)
  try {
    return JSON.parse(readFileSync('package.json', 'utf8')).type !== 'module'
  } catch {
    return true
  }
}

function standIn(path, names) {
  const from = `globalThis[Symbol.for(${JSON.stringify(registry.description)})].get(${JSON.stringify(path)})`
  if (isCommonJs(path)) {
    // The list, which does nothing, tells Node the names for `import { … }`.
    const known = names.filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default')
    return `const held = ${from}\nmodule.exports = 'default' in held ? held.default : { ...held }\n0 && (module.exports = { ${known} })\n`
  }
  const exported = names.map(
    (name, at) =>
      `const e${at} = held[${JSON.stringify(name)}]\nexport { e${at} as ${JSON.stringify(name)} }\n`,
  )
  return `const held = ${from}\n${exported.join('')}`
}
