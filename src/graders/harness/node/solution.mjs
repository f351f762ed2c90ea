// The process of the solution. It loads modules and answers calls of the tests' process, and its event loop runs only while that
// of the tests does, so that together they behave like one process.
import './random.mjs'
import { createChannel, keepChannelClear, takeChannel } from './channel.mjs'
import { createLink } from './link.mjs'
import { acceptJestModules, acceptTypeScript } from './loaders.mjs'

const { pathToFileURL } = process.getBuiltinModule('node:url')

const leave = process.reallyExit.bind(process)
const originalSetImmediate = setImmediate
const originalSetTimeout = setTimeout
const here = `${pathToFileURL(process.cwd())}/`
let endTurn

keepChannelClear()
if (process.argv.includes('--jest')) acceptJestModules()
else if (process.argv.includes('--typescript')) acceptTypeScript()
const link = createLink({
  side: 'solution',
  channel: createChannel(takeChannel()),
  answers: {
    load: ([path], reply) => reply(() => load(path)),
    turn: ([patience], reply) => beginTurn(patience, reply),
  },
  ended: () => leave(0),
  confused: () => leave(1),
  sent: () => endTurn && originalSetImmediate(() => endTurn?.(false)),
})
process.on('beforeExit', () => endTurn?.(true))
for (const event of ['unhandledRejection', 'uncaughtException'])
  process.on(event, (error) => link.notify('escaped', error))
link.notify('ready', process.cwd())
serve()

/** The exports are in a list, since a module may export a `then`. */
async function load(path) {
  return [{ ...(await import(new URL(path, here).href)) }]
}

/** Blocks until the tests' process lets the event loop run. */
function serve() {
  while (link.receive() !== 'turn');
}

/** Lets the event loop run until nothing is left to do, a message was sent, or `patience` ms have passed. */
function beginTurn(patience, reply) {
  const timer = originalSetTimeout(() => endTurn?.(false), patience)
  timer.unref()
  // Without this, an empty event loop would end.
  originalSetImmediate(() => {})
  endTurn = (idle) => {
    endTurn = undefined
    clearTimeout(timer)
    reply(() => idle)
    serve()
  }
  return 'turn'
}
