import { longestTimer } from '../../base/longest-timer.ts'
import { createStartError, killProgram, type Program, waitForProgramEnd } from './program.ts'

/** How long to wait for exits once everything has been killed; ms. */
const patience = 1000

/** How often programs are looked at, at least; ms. */
export const maxCheckIntervalMs = 100

/** What may end programs before they end by themselves. */
interface Supervision {
  timeoutMs: number
  /** Looks at what a program uses: how soon to look again, in ms, or `end` where it is more than it may. */
  look(program: Program): number | 'end'
  signal: AbortSignal | undefined
}

/**
 * Starts programs by `start` and waits until the first has ended, or is made to; the others end with it. When it
 * settles, nothing of any of them runs. Gives whether the time was over; rejects with the signal's reason when aborted
 * and with `InfrastructureError` when a program cannot be started.
 */
export async function supervise(
  programs: readonly Program[],
  start: () => void,
  limits: Supervision,
): Promise<{ timedOut: boolean }> {
  try {
    const timedOut = await firstEnds(programs, start, limits)
    return { timedOut }
  } catch (error) {
    for (const program of programs) killProgram(program)
    throw error
  } finally {
    await Promise.all(programs.map((program) => waitForProgramEnd(program, patience)))
    limits.signal?.throwIfAborted()
  }
}

function firstEnds(
  programs: readonly Program[],
  start: () => void,
  { timeoutMs, look, signal }: Supervision,
): Promise<boolean> {
  const [first] = programs
  return new Promise((resolve, reject) => {
    let timedOut = false
    let patienceTimer: NodeJS.Timeout | undefined
    const release = () => {
      clearTimeout(timer)
      clearTimeout(patienceTimer)
      clearTimeout(nextLook)
      signal?.removeEventListener('abort', stop)
    }
    const settle = () => {
      release()
      resolve(timedOut)
    }
    // At once and not politely first: what it works on is a private copy, so there is nothing to save.
    const stop = () => {
      for (const program of programs) killProgram(program)
      patienceTimer ??= setTimeout(() => afterPendingEvents(settle), patience)
    }
    const timeIsOver = () => {
      if (first?.ended) return
      timedOut = true
      stop()
    }
    const timer = setTimeout(() => afterPendingEvents(timeIsOver), Math.min(timeoutMs, longestTimer))
    const lookAtAll = () => {
      const seen = programs.map(look)
      if (seen.includes('end')) return stop()
      nextLook = setTimeout(lookAtAll, Math.min(...(seen as number[])))
    }
    let nextLook = setTimeout(lookAtAll, maxCheckIntervalMs)
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
        // Also after a normal exit nothing of it lives on; the peer of one that has ended has nothing left to do.
        if (program === first && programs.some(({ ended }) => !ended)) return stop()
        killProgram(program)
        if (programs.every(({ ended }) => ended)) settle()
      })
    }
  })
}

/** Lets what has already happened be told first: a busy event loop runs late timers before it reads exits. */
function afterPendingEvents(work: () => void): void {
  setImmediate(() => setImmediate(work))
}
