import type { Progress } from './progress.ts'

/** Holds the process for the length of a run. */
export interface ProcessGuard {
  /** Something threw outside of every trial. */
  readonly broken: boolean
  end(): void
}

/**
 * Signals end a run cleanly, the second one at once. What a strategy or agent of the user's does to the process must not
 * end the run without a word: a throw out of nowhere stops it like a signal, an exit is told, and its prints stay out of
 * the results.
 */
export function guardProcess(abort: AbortController, progress: Progress): ProcessGuard {
  let broken = false
  const say = (text: string) => {
    progress.end()
    process.stderr.write(`${text}\n`)
  }
  const onSignal = () => {
    if (abort.signal.aborted) {
      process.off('exit', onExit)
      process.exit(130)
    }
    abort.abort()
    say('stopping: calls in flight are cut off; once more to stop at once')
  }
  const onThrow = (error: unknown) => {
    if (broken) return
    broken = true
    say(`stopping: a strategy or an agent threw outside of its calls: ${(error as Error)?.message ?? error}`)
    abort.abort()
  }
  const onExit = () => {
    process.exitCode = 1
    process.stderr.write(
      'a strategy or an agent ended the process; bench run --resume goes on without what was in flight\n',
    )
  }
  const { log, info, debug } = console
  Object.assign(console, { log: console.error, info: console.error, debug: console.error })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  process.on('uncaughtException', onThrow)
  process.on('unhandledRejection', onThrow)
  process.on('exit', onExit)
  return {
    get broken() {
      return broken
    },
    end() {
      Object.assign(console, { log, info, debug })
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, onSignal)
      process.off('uncaughtException', onThrow)
      process.off('unhandledRejection', onThrow)
      process.off('exit', onExit)
    },
  }
}
