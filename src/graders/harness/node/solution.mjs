// The process that holds the solution. It loads modules and answers calls for the process that holds the tests, and
// its event loop turns only while that one's does: together they run as one process would.
import './random.mjs'
import { createChannel, keepChannelClear } from './channel.mjs'
import { createLink } from './link.mjs'
import { acceptTypeScript } from './typescript.mjs'

const { pathToFileURL } = process.getBuiltinModule('node:url')

const leave = process.reallyExit.bind(process)
const soon = setImmediate
const later = setTimeout
const here = `${pathToFileURL(process.cwd())}/`
let endTurn

keepChannelClear()
if (process.argv.includes('--typescript')) acceptTypeScript()
const link = createLink({
  side: 'solution',
  channel: createChannel(),
  answers: {
    load: ([path], reply) => reply(() => load(path)),
    turn: ([patience], reply) => beginTurn(patience, reply),
  },
  ended: () => leave(0),
  confused: () => leave(1),
  sent: () => endTurn && soon(() => endTurn?.(false)),
})
process.on('beforeExit', () => endTurn?.(true))
for (const event of ['unhandledRejection', 'uncaughtException'])
  process.on(event, (error) => link.tell('escaped', error))
link.tell('ready', process.cwd())
serve()

/** In a list, since a module may export a `then`. */
async function load(path) {
  return [{ ...(await import(new URL(path, here).href)) }]
}

/** Blocks until the tests' process lets the event loop turn. */
function serve() {
  while (link.receive() !== 'turn');
}

/** The turn ends when nothing is left to do, after something was told, or when there is no more patience; ms. */
function beginTurn(patience, reply) {
  const timer = later(() => endTurn?.(false), patience)
  timer.unref()
  // An empty event loop would not turn again.
  soon(() => {})
  endTurn = (idle) => {
    endTurn = undefined
    clearTimeout(timer)
    reply(() => idle)
    serve()
  }
  return 'turn'
}
