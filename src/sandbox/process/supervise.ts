import { longestTimer } from '../../base/longest-timer.ts'
import { createStartError, killProgram, type Program, waitForProgramEnd } from './program.ts'

const exitTimeoutMs = 1000

/** The longest time between two checks of a program; ms. */
export const maxCheckIntervalMs = 100

/** While a program waits, its time limit is checked at most so often; ms. */
const shortestWaitMs = 50

interface Supervision {
  timeoutMs: number
  /** Returns for how long the first program has waited for the harness by now, which does not count; ms. */
  waitedMs?: (() => number) | undefined
  /** Checks a program's usage. Returns the time until the next check in ms, or `end` if the program must be ended. */
  check(program: Program): number | 'end'
  signal: AbortSignal | undefined
}

/**
 * Starts programs by `start` and waits until the first has ended or is ended; the others end with it. When the promise ends,
 * no process of them runs. Returns whether the time was over. Rejects with the signal's reason if aborted and with
 * `InfrastructureError` if a program cannot be started.
 */
export async function supervise(
  programs: readonly Program[],
  start: () => void,
  limits: Supervision,
): Promise<{ timedOut: boolean }> {
  try {
    const timedOut = await waitForFirstEnd(programs, start, limits)
    return { timedOut }
  } catch (error) {
    for (const program of programs) killProgram(program)
    throw error
  } finally {
    await Promise.all(programs.map((program) => waitForProgramEnd(program, exitTimeoutMs)))
    limits.signal?.throwIfAborted()
  }
}

function waitForFirstEnd(
  programs: readonly Program[],
  start: () => void,
  { timeoutMs, waitedMs = () => 0, check, signal }: Supervision,
): Promise<boolean> {
  const [first] = programs
  return new Promise((resolve, reject) => {
    let timedOut = false
    let exitTimer: NodeJS.Timeout | undefined
    const release = () => {
      clearTimeout(timer)
      clearTimeout(exitTimer)
      clearTimeout(nextCheck)
      signal?.removeEventListener('abort', stop)
    }
    const finish = () => {
      release()
      resolve(timedOut)
    }
    // SIGKILL without a warning: the program works on a private copy, so there is nothing to save.
    const stop = () => {
      for (const program of programs) killProgram(program)
      exitTimer ??= setTimeout(() => afterPendingEvents(finish), exitTimeoutMs)
    }
    const startedAt = performance.now()
    const timeIsOver = () => {
      if (first?.ended) return
      const waited = waitedMs()
      const left = timeoutMs + waited - (performance.now() - startedAt)
      if (waited > 0 && left > 0) {
        timer = startTimer(Math.max(left, shortestWaitMs))
        return
      }
      timedOut = true
      stop()
    }
    const startTimer = (ms: number) =>
      setTimeout(() => afterPendingEvents(timeIsOver), Math.min(ms, longestTimer))
    let timer = startTimer(timeoutMs)
    const checkAll = () => {
      const results = programs.map(check)
      if (results.includes('end')) return stop()
      nextCheck = setTimeout(checkAll, Math.min(...(results as number[])))
    }
    let nextCheck = setTimeout(checkAll, maxCheckIntervalMs)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      start()
    } catch (error) {
      release()
      return reject(error)
    }
    for (const program of programs) {
      program.child?.on('error', (error) => {
        release()
        reject(createStartError(program.name, error))
      })
      program.child?.on('exit', (code, signal) => {
        program.ended = { code, signal }
        // After a normal exit, too, its descendants are killed; a peer of the first program has nothing left to do.
        if (program === first && programs.some(({ ended }) => !ended)) return stop()
        killProgram(program)
        if (programs.every(({ ended }) => ended)) finish()
      })
    }
  })
}

/** Runs `work` after pending events: a busy event loop runs late timers before it reports exits. */
function afterPendingEvents(work: () => void): void {
  setImmediate(() => setImmediate(work))
}
