// Runs calls of the built command line one after another in one process. Each call gets its own arguments and working
// folder. Its output and its exit code go to a file, which is written also if the call ends the process.
import { writeFileSync } from 'node:fs'

const main = new URL('../../../dist/src/cli.js', import.meta.url)
const streams = { stdout: process.stdout, stderr: process.stderr }
const events = [
  'beforeExit',
  'exit',
  'uncaughtException',
  'unhandledRejection',
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
]
const own = {
  setTimeout,
  env: { ...process.env },
  listeners: events.map((event) => process.listeners(event)),
}
let calls = 0

process.on('disconnect', () => process.exit())
process.on('message', async ({ args, cwd, env, result }) => {
  const printed = { stdout: '', stderr: '' }
  for (const [name, stream] of Object.entries(streams))
    stream.write = (chunk, ...rest) => {
      printed[name] += chunk
      rest.findLast((one) => typeof one === 'function')?.()
      return true
    }
  const timers = []
  globalThis.setTimeout = Object.assign((...given) => {
    timers.push(own.setTimeout(...given))
    return timers.at(-1)
  }, own.setTimeout)
  const report = () => writeFileSync(result, JSON.stringify({ code: process.exitCode ?? 0, ...printed }))
  const onIdle = () => {
    report()
    cleanUp(timers)
    process.channel.ref()
    process.send('ended')
  }
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args)
  process.exitCode = undefined
  process.chdir(cwd)
  for (const [name, value] of env)
    if (value === null) delete process.env[name]
    else process.env[name] = value
  process.on('exit', report)
  calls += 1
  await import(`${main}?call=${calls}`)
  // Without the channel, nothing is left to do when a process of this call alone would end.
  process.on('beforeExit', onIdle)
  process.channel.unref()
})

/** Removes what a call left in this process: it would disturb the next one. */
function cleanUp(timers) {
  for (const timer of timers) clearTimeout(timer)
  globalThis.setTimeout = own.setTimeout
  for (const name of Object.keys(process.env)) if (!(name in own.env)) delete process.env[name]
  Object.assign(process.env, own.env)
  for (const [i, event] of events.entries())
    for (const listener of process.listeners(event))
      if (!own.listeners[i].includes(listener)) process.removeListener(event, listener)
  for (const stream of Object.values(streams)) stream.removeAllListeners('error')
}
