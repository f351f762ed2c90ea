import { closeSync } from 'node:fs'
import { url as inspectorUrl } from 'node:inspector'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { packageRoot } from '../base/package-root.ts'
import { blockPolicy, control, places, texts, watch, whoIsAtWork } from './block-state.ts'

/*
 * Code of the user's may block the main thread: `for (;;) {}`. Then no timer fires, no signal is heard, and the process says
 * nothing. So a second thread listens for the main one's heartbeat. When that stops it looks, as a debugger would, where the main
 * thread is, says so, and ends the process in time (`programs/block-watch.cjs`).
 */

const tickMs = 250
/** A block is told after this time. */
export const tellAfterMs = 10_000
/** Where the thread finds what it may call in the main one. */
const hook = 'orchestration-bench.block'

/**
 * Watches the main thread from now on, in a thread that does not keep the process. The thread is there when this is done: it cannot
 * come up while the main one is blocked.
 */
export async function watchForBlocks(): Promise<void> {
  // Somebody debugs the code: it stands still on purpose.
  if (watch.stop || inspectorUrl() !== undefined) return
  const program = join(packageRoot(), 'src/user-code/block-watch.cjs')
  const signals = blockPolicy.hearsSignals ? [1, 2, 15] : []
  const ours = ['dist', 'src', 'strategies', 'node_modules'].map((name) => join(packageRoot(), name))
  const workerData = { control, places, texts, tickMs, tellAfterMs, signals, hook, ours, cwd: process.cwd() }
  const thread = startThread(program, workerData)
  // Where no thread can be had the code runs unwatched.
  if (!thread) return
  const beat = setInterval(() => Atomics.add(control, places.beats, 1), tickMs).unref()
  watch.stop = () => {
    Atomics.store(control, places.watched, 0)
    clearInterval(beat)
    void thread.terminate()
    watch.stop = undefined
  }
  Object.assign(globalThis, {
    [Symbol.for(hook)]: {
      name: () => blockPolicy.clean(whoIsAtWork() ?? ''),
      end(code: number) {
        // Node would print that it waits for the debugger. All else has been printed by then.
        process.on('exit', () => closeSync(2))
        blockPolicy.end(code)
      },
    },
  })
  Atomics.store(control, places.watched, 1)
  await new Promise((resolve) => {
    for (const event of ['message', 'error', 'exit']) thread.on(event, resolve)
  })
  thread.unref()
}

/** A Node without the flags has the thread without them: it hears no signals then, and the time still ends a block. */
function startThread(program: string, workerData: object): Worker | undefined {
  // A warning that nobody reads would keep the process.
  for (const execArgv of [['--expose-internals', '--no-warnings'], []])
    try {
      return new Worker(program, { workerData, execArgv, stdout: true, stderr: true })
    } catch {}
  return undefined
}
