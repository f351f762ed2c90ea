import { closeSync } from 'node:fs'
import { url as inspectorUrl } from 'node:inspector'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { packageRoot } from '../base/package-root.ts'
import {
  activeWatchdog,
  blockPolicy,
  findRunningCode,
  sharedNumbers,
  sharedTexts,
  slots,
} from './watchdog-state.ts'

/*
 * The user's code may block the main thread: `for (;;) {}`. Then no timer fires, no signal is handled, and nothing is printed.
 * So a second thread watches the main thread's heartbeat. When it stops, the watchdog pauses the main thread as a debugger does,
 * reports where it is, and ends the process after a timeout (`watchdog-thread.cjs`).
 */

const tickMs = 250
const reportAfterMs = 10_000
/** The global under which the watchdog thread finds the functions that it calls in the main thread. */
const hook = 'orchestration-bench.block'

/**
 * Starts the watchdog, in a thread that does not keep the process alive. Resolves when the thread runs: it cannot start while
 * the main thread is blocked.
 */
export async function startWatchdog(): Promise<void> {
  // With a debugger attached, the code is paused on purpose.
  if (activeWatchdog.stop || inspectorUrl() !== undefined) return
  const program = join(packageRoot(), 'src/user-code/watchdog-thread.cjs')
  const signals = blockPolicy.handlesSignals ? [1, 2, 15] : []
  const ours = ['dist', 'src', 'strategies', 'node_modules'].map((name) => join(packageRoot(), name))
  const workerData = {
    ...{ sharedNumbers, slots, sharedTexts, tickMs, reportAfterMs, signals, hook, ours },
    cwd: process.cwd(),
  }
  const thread = startThread(program, workerData)
  // Without a thread, the code runs unwatched.
  if (!thread) return
  const heartbeat = setInterval(() => Atomics.add(sharedNumbers, slots.heartbeats, 1), tickMs).unref()
  activeWatchdog.stop = () => {
    Atomics.store(sharedNumbers, slots.isWatched, 0)
    clearInterval(heartbeat)
    void thread.terminate()
    activeWatchdog.stop = undefined
  }
  Object.assign(globalThis, {
    [Symbol.for(hook)]: {
      name: () => blockPolicy.redact(findRunningCode() ?? ''),
      end(code: number) {
        // Node would print that it waits for the debugger. Everything else has been printed by then.
        process.on('exit', () => closeSync(2))
        blockPolicy.end(code)
      },
    },
  })
  Atomics.store(sharedNumbers, slots.isWatched, 1)
  await new Promise((resolve) => {
    for (const event of ['message', 'error', 'exit']) thread.on(event, resolve)
  })
  thread.unref()
}

/** If Node does not know the flags, the thread starts without them: it gets no signals then, but its timeout still ends a block. */
function startThread(program: string, workerData: object): Worker | undefined {
  // An unread warning would keep the process alive.
  for (const execArgv of [['--expose-internals', '--no-warnings'], []])
    try {
      return new Worker(program, { workerData, execArgv, stdout: true, stderr: true })
    } catch {}
  return undefined
}
