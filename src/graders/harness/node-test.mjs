// Runs node:test files in this one process and reports what they said, so that a solution which ends the process,
// prints look-alikes or changes what it is judged with cannot pass. Entry and reporter in one module.
import assert from 'node:assert'
import fs from 'node:fs'
import * as modules from 'node:module'
import nodeTest from 'node:test'
import { pathToFileURL } from 'node:url'

// Taken before any of the solution runs: what it replaces later does not matter. As constants, since imported names
// follow what a module's owner, or `syncBuiltinESMExports`, makes of them.
const { readFileSync, writeFileSync, writeSync } = fs
const { test, beforeEach } = nodeTest
const { stringify } = JSON
const { from: toBytes } = Buffer
const rest = Function.prototype.call.bind(Buffer.prototype.subarray)
const nextTurn = setImmediate
const leave = process.reallyExit.bind(process)
const cwd = process.cwd()

/** `token` authenticates the report, `progress` only marks lines about how far it got. */
const { token, progress, tests, guarded, typescript } = JSON.parse(readFileSync(0, 'utf8'))

for (const judged of [assert, assert.strict, nodeTest]) Object.freeze(judged)
// Node 20 does not know the ending `.ts`; the types themselves are stripped before.
if (typescript) acceptTypeScript()

let report = ''
let done = false
let attach
const attached = new Promise((resolve) => {
  attach = resolve
})

const originals = guarded.map((path) => [path, readFileSync(path, 'utf8')])
/** Files whose tests count; without a prototype that could answer for others. */
const own = { __proto__: null }
for (const path of tests.concat(guarded)) own[`${cwd}/${path}`] = own[pathToFileURL(path).href] = true

process.on('unhandledRejection', (error) => add('escaped', '', describe(error)))
process.on('uncaughtException', (error) => add('escaped', '', describe(error)))
// Nothing is left that could end the test which still runs: newer Nodes would wait for it for ever.
process.on('beforeExit', () => finish('stalled'))
process.on('exit', (code) => finish(`unfinished\t${code}`))
// Says which test ran last, should the process never come to its end.
beforeEach((context) => say(stringify(context.name)))
say('ready')
run()

async function run() {
  await attached
  for (const path of tests) {
    restoreChanged()
    try {
      await import(pathToFileURL(path))
    } catch (error) {
      add('unloaded', path, describe(error))
    }
    restoreChanged()
  }
  // Top-level tests run one after the other: when this one's turn has come, all others have ended. Node tells of
  // unhandled rejections only between two turns of the event loop, hence the one more.
  test(token, () => new Promise((resolve) => nextTurn(resolve)))
}

/** node:test hands its events to this (`--test-reporter`). */
// biome-ignore lint/correctness/useYield: node:test wants a generator, and what it yields would be printed
export default async function* reporter(events) {
  if (!attach) return
  attach()
  attach = undefined
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.name === token) return finish('finished')
    // Suites are no tests; tests that the solution adds are not the task's.
    if (data.details?.type === 'suite' || own[data.file] !== true) continue
    if (data.skip !== undefined || data.todo !== undefined) add('skipped', data.name, '')
    else if (type === 'test:pass') add('passed', data.name, '')
    else add('failed', data.name, describe(data.details.error?.cause ?? data.details.error))
  }
}

function add(kind, name, message) {
  report += `${kind}\t${stringify(`${name}`)}\t${stringify(message)}\n`
}

function finish(end) {
  if (done) return
  done = true
  write(`\n${token}\n${report}${end}\n${token} end\n`)
  // At once: timers, servers and exit handlers of the solution are none of our business.
  leave(0)
}

function say(text) {
  write(`\n${progress} ${text}\n`)
}

function write(text) {
  let bytes = toBytes(text)
  while (bytes.length > 0) {
    try {
      bytes = rest(bytes, writeSync(1, bytes))
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error // the reader is slower than we are
    }
  }
}

/** Test files that the solution changed are told, and put back before they are used. */
function restoreChanged() {
  for (const [path, text] of originals) {
    let now
    try {
      now = readFileSync(path, 'utf8')
    } catch {}
    if (now === text) continue
    add('changed', path, '')
    writeFileSync(path, text)
  }
}

/** Kind, message and place of an error, whatever was thrown. */
function describe(error) {
  try {
    if (!(error instanceof Error))
      return `threw ${typeof error === 'string' ? stringify(error) : String(error)}`
    const { message, stack = '' } = error
    const text =
      error.code === 'ERR_ASSERTION' || message.startsWith(error.name) ? message : `${error.name}: ${message}`
    const ours = (line) => line.includes(`${cwd}/`) && !line.includes('/.bench/')
    const lines = stack.split('\n')
    // What does not parse is named in the first line, before the message.
    const place = lines.find(
      (line, at) => ours(line) && (/^\s+at /.test(line) || (at === 0 && line.startsWith('file:'))),
    )
    const position = place?.slice(place.indexOf(`${cwd}/`) + cwd.length + 1).replace(/\)?$/, '')
    return (position ? `${text.trimEnd()} (${position})` : text).slice(0, 2000)
  } catch {
    return 'threw something that cannot be read'
  }
}

function acceptTypeScript() {
  const isTypeScript = (url) => /\.m?ts$/.test(url)
  if (modules.registerHooks) {
    modules.registerHooks({
      load: (url, context, next) => next(url, isTypeScript(url) ? { ...context, format: 'module' } : context),
    })
    return
  }
  const source = `export const load = (url, context, next) =>
    next(url, /\\.m?ts$/.test(url) ? { ...context, format: 'module' } : context)`
  modules.register(`data:text/javascript,${encodeURIComponent(source)}`)
}
