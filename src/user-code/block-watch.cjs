'use strict'
// The thread that watches the main one: see src/user-code/block-watch.ts. It runs while the main thread is blocked, so it writes to the
// file descriptor itself and asks the main thread only as a debugger can.
const { readFileSync, writeSync } = require('node:fs')
const { Session } = require('node:inspector')
const { isAbsolute, relative } = require('node:path')
const { fileURLToPath } = require('node:url')
const { parentPort, workerData } = require('node:worker_threads')

const { control, places, texts, tickMs, tellAfterMs, signals, hook, ours, cwd } = workerData
/** A shorter silence is a busy moment, not a block. */
const blockMs = 1000
/** A main thread that sleeps has so long to answer: one in a system call never does. */
const answerMs = 3000
/** One that only lacks a processor may take longer. */
const patienceMs = 30_000
const atHook = `globalThis[Symbol.for(${JSON.stringify(hook)})]`

const read = (name) => Atomics.load(control, places[name])

/** The second of two texts begins in the middle. A text decoder does not read shared memory. */
function textOf(name) {
  const from = name === 'who' ? 0 : texts.length / 2
  return Buffer.from(texts.slice(from, from + read(`${name}Length`))).toString()
}

function say(text) {
  try {
    writeSync(2, `${text}\n`)
  } catch {
    // Nobody reads it: the process is ended all the same.
  }
}

let heard = 0
let handledBefore = 0
listen()

/** Node gives signals to the main thread alone; the class beneath `process.on`, which it shows under a flag, works in any thread. */
function listen() {
  try {
    const { internalBinding } = require('internal/test/binding')
    const { Signal } = internalBinding('signal_wrap')
    for (const number of signals) {
      const signal = new Signal()
      signal.unref()
      signal.onsignal = () => {
        heard++
      }
      signal.start(number)
    }
  } catch {
    // A Node without it: the time still ends a block.
  }
  handledBefore = read('handled')
}

/** Where the main thread is, and whose code that is; undefined where it cannot be stopped. */
function look() {
  return whenPaused((session, place, resolve) => {
    session.post('Runtime.evaluate', { expression: `${atHook}.name()`, returnByValue: true }, (_, answer) => {
      const who = answer?.result?.value
      // It answered too late: the session has been closed, and the main thread goes on by itself.
      if (!answer) return
      session.post('Debugger.resume', () => resolve({ place, who: typeof who === 'string' ? who : '' }))
    })
  })
}

/** Lets the main thread end the process, so that the exit code is right and what a normal end removes is removed. */
function askToEnd(code) {
  return whenPaused((session, _, resolve) => {
    session.post('Runtime.evaluate', { expression: `${atHook}.end(${code})` })
    // Node waits at its end for who looks into it.
    setTimeout(resolve, tickMs, true)
  })
}

/** Stops the main thread as a debugger does; gives what `work` makes of that, or undefined where it does not stop. */
function whenPaused(work) {
  return new Promise((resolve) => {
    const session = new Session()
    const files = new Map()
    const end = (found) => {
      clearInterval(timer)
      session.disconnect()
      resolve(found)
    }
    const begun = performance.now()
    const timer = setInterval(() => {
      const ms = performance.now() - begun
      if (ms > patienceMs || (ms > answerMs && stateOfMain() !== 'R')) end(undefined)
    }, tickMs)
    session.connectToMainThread()
    session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url))
    session.once('Debugger.paused', ({ params }) => {
      const place = params.callFrames.map(({ location }) => placeOf(files, location)).find(Boolean)
      work(session, place, end)
    })
    session.post('Debugger.enable')
    session.post('Debugger.pause')
  })
}

/** File and line, where that is the user's file. */
function placeOf(files, { scriptId, lineNumber }) {
  const url = files.get(scriptId) ?? ''
  const path = url.startsWith('file:') ? fileURLToPath(url) : url
  if (!isAbsolute(path) || ours.some((folder) => path.startsWith(folder))) return undefined
  const here = relative(cwd, path)
  return `${here.startsWith('..') ? path : `./${here}`}:${lineNumber + 1}`
}

/** What the kernel says that the main thread does: `R` runs, or would; `D` waits for a disk. Undefined where nobody can tell. */
function stateOfMain() {
  try {
    return /\) (\w) /.exec(readFileSync(`/proc/self/task/${process.pid}/stat`, 'latin1'))?.[1]
  } catch {
    return undefined
  }
}

let beats = read('beats')
let before = performance.now()
let blocked = 0
let isTold = false
let toldAt = 0
let lookAgainAt = 0
let hasHeard = false
let busy = false

function reset() {
  blocked = 0
  isTold = false
  lookAgainAt = 0
  hasHeard = false
}

const subjectOf = (found) => {
  const who = found?.who || textOf('who') || 'code of yours'
  return found?.place ? `${who}, at ${found.place},` : who
}

async function tick() {
  const now = performance.now()
  // A process that was stopped meanwhile has not been blocked.
  const passed = Math.min(now - before, 2 * tickMs)
  before = now
  if (busy) {
    blocked += passed
    return
  }
  const beat = read('beats')
  if (beat !== beats || read('watched') === 0) {
    beats = beat
    reset()
    return
  }
  // That is no loop, and passes.
  if (stateOfMain() === 'D') return
  blocked += passed
  if (blocked < blockMs) return
  busy = true
  await judge()
  busy = false
}

async function judge() {
  const unhandled = heard - (read('handled') - handledBefore)
  if (unhandled > 0 && heard + handledBefore > 1)
    return endNow(130, 'a second signal came while the main thread was blocked')
  if (unhandled > 0 && !hasHeard) {
    hasHeard = true
    say(`stopping: ${subjectOf(await look())} blocks the main thread; once more to end at once`)
  }
  const endAfterMs = read('endAfterMs')
  const isDue = isTold && endAfterMs >= 0 && blocked >= toldAt + endAfterMs
  const isNew = !isTold && blocked >= tellAfterMs
  if ((!isDue && !isNew) || blocked < lookAgainAt) return
  lookAgainAt = blocked + answerMs
  const found = await blockedByUser()
  if (!found) return
  const seconds = Math.round(blocked / 1000)
  if (isDue) return endNow(1, `the main thread had been blocked for ${seconds} s`)
  toldAt = blocked
  lookAgainAt = 0
  isTold = true
  const twice = signals.length > 0 ? ', or at once when you press Ctrl-C twice' : ''
  const end = endAfterMs < 0 ? '' : ` Bench ends the process in ${Math.round(endAfterMs / 1000)} s${twice}.`
  say(`${subjectOf(found)} has blocked the main thread for ${seconds} s: nothing else goes on.${end}`)
}

/** Where code of the user's blocks the main thread. Undefined for work of bench's own, and for what only waits for a processor: both come to their end. */
async function blockedByUser() {
  const found = await look()
  if (read('beats') !== beats) return undefined
  if (found ? !found.place : stateOfMain() === 'R') return undefined
  return found ?? {}
}

/** By the main thread where it can be asked, so that the exit code is right and folders are removed; else by force. */
async function endNow(code, why) {
  say(`ended, since ${why}; ${textOf('goOn')}`.replace(/; $/, ''))
  const isEnding = await askToEnd(code)
  // Code of the user's may block the end itself.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), isEnding ? 3 * answerMs : 0)
}

setInterval(() => void tick(), tickMs)
parentPort.postMessage('ready')
