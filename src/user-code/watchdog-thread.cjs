'use strict'
// The watchdog thread: see src/user-code/watchdog.ts. It runs while the main thread is blocked, so it writes to the file descriptor
// itself and reaches the main thread only through the debugger protocol.
const { readFileSync, writeSync } = require('node:fs')
const { Session } = require('node:inspector')
const { isAbsolute, relative } = require('node:path')
const { fileURLToPath } = require('node:url')
const { parentPort, workerData } = require('node:worker_threads')

const { sharedNumbers, slots, sharedTexts, tickMs, reportAfterMs, signals, hook, ours, cwd } = workerData
/** A shorter silence is a busy moment, not a block. */
const blockMs = 1000
/** How long a sleeping main thread has to pause: one in a system call never does. */
const answerMs = 3000
/** The same for one that waits for a processor. */
const busyAnswerMs = 30_000
const atHook = `globalThis[Symbol.for(${JSON.stringify(hook)})]`

const read = (name) => Atomics.load(sharedNumbers, slots[name])

/** The second text begins in the middle. The bytes are copied, since a text decoder does not read shared memory. */
function textOf(name) {
  const from = name === 'codeName' ? 0 : sharedTexts.length / 2
  return Buffer.from(sharedTexts.slice(from, from + read(`${name}Length`))).toString()
}

function print(text) {
  try {
    writeSync(2, `${text}\n`)
  } catch {
    // Standard error is closed: the process is ended anyway.
  }
}

let receivedSignals = 0
let handledBefore = 0
listenForSignals()

/** Node delivers signals to the main thread only; the internal class behind `process.on`, exposed by a flag, works in any thread. */
function listenForSignals() {
  try {
    const { internalBinding } = require('internal/test/binding')
    const { Signal } = internalBinding('signal_wrap')
    for (const number of signals) {
      const signal = new Signal()
      signal.unref()
      signal.onsignal = () => {
        receivedSignals++
      }
      signal.start(number)
    }
  } catch {
    // This Node does not expose the class: the timeout still ends a block.
  }
  handledBefore = read('handledSignals')
}

/** Returns where the main thread is and whose code that is; undefined if it cannot be paused. */
function inspectMain() {
  return whenPaused((session, place, resolve) => {
    session.post('Runtime.evaluate', { expression: `${atHook}.name()`, returnByValue: true }, (_, answer) => {
      const who = answer?.result?.value
      // The answer came too late: the session is closed, and the main thread goes on by itself.
      if (!answer) return
      session.post('Debugger.resume', () => resolve({ place, who: typeof who === 'string' ? who : '' }))
    })
  })
}

/** Makes the main thread end the process, so that the exit code is right and temporary files are removed. */
function askToEnd(code) {
  return whenPaused((session, _, resolve) => {
    session.post('Runtime.evaluate', { expression: `${atHook}.end(${code})` })
    // Node waits for the debugger when it exits.
    setTimeout(resolve, tickMs, true)
  })
}

/** Pauses the main thread as a debugger does and returns the result of `work`; undefined if it does not pause. */
function whenPaused(work) {
  return new Promise((resolve) => {
    const session = new Session()
    const files = new Map()
    const end = (result) => {
      clearInterval(timer)
      session.disconnect()
      resolve(result)
    }
    const begun = performance.now()
    const timer = setInterval(() => {
      const ms = performance.now() - begun
      if (ms > busyAnswerMs || (ms > answerMs && stateOfMain() !== 'R')) end(undefined)
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

/** Returns file and line if the file is the user's. */
function placeOf(files, { scriptId, lineNumber }) {
  const url = files.get(scriptId) ?? ''
  const path = url.startsWith('file:') ? fileURLToPath(url) : url
  if (!isAbsolute(path) || ours.some((folder) => path.startsWith(folder))) return undefined
  const here = relative(cwd, path)
  return `${here.startsWith('..') ? path : `./${here}`}:${lineNumber + 1}`
}

/** Returns the kernel's state of the main thread: `R` is running or runnable, `D` waits for a disk. Undefined if it is not known. */
function stateOfMain() {
  try {
    return /\) (\w) /.exec(readFileSync(`/proc/self/task/${process.pid}/stat`, 'latin1'))?.[1]
  } catch {
    return undefined
  }
}

let heartbeats = read('heartbeats')
let before = performance.now()
let blocked = 0
let isReported = false
let reportedAt = 0
let nextCheckAt = 0
let hasReportedSignal = false
let busy = false

function reset() {
  blocked = 0
  isReported = false
  nextCheckAt = 0
  hasReportedSignal = false
}

const subjectOf = (found) => {
  const who = found?.who || textOf('codeName') || 'your code'
  return found?.place ? `${who}, at ${found.place},` : who
}

async function tick() {
  const now = performance.now()
  // A process that was suspended meanwhile has not been blocked.
  const passed = Math.min(now - before, 2 * tickMs)
  before = now
  if (busy) {
    blocked += passed
    return
  }
  const beat = read('heartbeats')
  if (beat !== heartbeats || read('isWatched') === 0) {
    heartbeats = beat
    reset()
    return
  }
  // It waits for a disk: that is not a loop, and it ends.
  if (stateOfMain() === 'D') return
  blocked += passed
  if (blocked < blockMs) return
  busy = true
  await handleBlock()
  busy = false
}

async function handleBlock() {
  const unhandled = receivedSignals - (read('handledSignals') - handledBefore)
  if (unhandled > 0 && receivedSignals + handledBefore > 1)
    return endNow(130, 'a second signal came while the main thread was blocked')
  if (unhandled > 0 && !hasReportedSignal) {
    hasReportedSignal = true
    print(
      `stopping: ${subjectOf(await inspectMain())} blocks the main thread; Ctrl-C again stops immediately`,
    )
  }
  const endAfterMs = read('endAfterMs')
  const isDue = isReported && endAfterMs >= 0 && blocked >= reportedAt + endAfterMs
  const isNew = !isReported && blocked >= reportAfterMs
  if ((!isDue && !isNew) || blocked < nextCheckAt) return
  nextCheckAt = blocked + answerMs
  const found = await blockedByUser()
  if (!found) return
  const seconds = Math.round(blocked / 1000)
  if (isDue) return endNow(1, `the main thread was blocked for ${seconds} s`)
  reportedAt = blocked
  nextCheckAt = 0
  isReported = true
  const twice = signals.length > 0 ? ', or immediately when you press Ctrl-C twice' : ''
  const end = endAfterMs < 0 ? '' : ` Bench ends the process in ${Math.round(endAfterMs / 1000)} s${twice}.`
  print(`${subjectOf(found)} has blocked the main thread for ${seconds} s: nothing else can run.${end}`)
}

/** Returns where the user's code blocks the main thread. Undefined for bench's own work and for a thread that waits for a processor: both end by themselves. */
async function blockedByUser() {
  const found = await inspectMain()
  if (read('heartbeats') !== heartbeats) return undefined
  if (found ? !found.place : stateOfMain() === 'R') return undefined
  return found ?? {}
}

/** Ends the process: by the main thread if it can be paused, so that the exit code is right and folders are removed; else by SIGKILL. */
async function endNow(code, why) {
  print(`ended because ${why}; ${textOf('resumeHint')}`.replace(/; $/, ''))
  const isEnding = await askToEnd(code)
  // The user's code may block the exit, too.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), isEnding ? 3 * answerMs : 0)
}

setInterval(() => void tick(), tickMs)
parentPort.postMessage('ready')
