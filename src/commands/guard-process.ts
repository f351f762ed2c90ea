import {
  blockPolicy,
  countSignal,
  endBlockedAfter,
  holdWatch,
  tellGoOn,
  whoIsAtWork,
} from '../block-state.ts'
import { thrownText } from '../errors.ts'
import { blame } from '../loop/own-code.ts'
import { shellWord } from '../reports/notes.ts'
import { safeLine } from '../reports/safe-text.ts'
import { endNow } from './end-leftovers.ts'

/** A command that code of the user's has blocked is ended after this time, counted from when that was told. */
const usualEndMs = 30_000

/** Holds the process for the length of a run or a replay. */
export interface ProcessGuard {
  /** Something threw outside of every trial. */
  readonly broken: boolean
  /** A run has begun in this folder: from now on there is something to go on with. */
  begun(folder: string): void
  end(): void
}

/**
 * Signals end a run cleanly, the second one at once. What a strategy or agent of the user's does to the process must not
 * end the run without a word: a throw out of nowhere stops it like a signal, an exit is told, its prints stay out of
 * the results, and where it stands stays where it is. `progress` of a run is ended before a word; a replay has none.
 */
export function guardProcess(abort: AbortController, progress?: { end(): void }): ProcessGuard {
  let broken = false
  let goOn = progress ? 'nothing has begun: put the code right, and run the same again' : ''
  const say = (text: string) => {
    progress?.end()
    process.stderr.write(`${text}\n`)
  }
  const end = (code: number) => {
    process.off('exit', onExit)
    process.exit(code)
  }
  const onSignal = () => {
    countSignal()
    if (abort.signal.aborted) return end(130)
    abort.abort()
    say('stopping: calls in flight are cut off; once more to stop at once')
  }
  const onThrow = (error: unknown) => {
    const why = safeLine(thrownText(error))
    const blamed = blame(error)
    if ('trial' in blamed) {
      const { trial, name, place, ended } = blamed
      // Its record says what is true; yet not all is well.
      if (ended) broken = true
      const what = ended ? 'after that trial had ended: its record stands' : 'so that trial ends in error'
      return say(
        safeLine(
          `trial ${trial}: ${name} threw where nobody awaited it (${why}${place === undefined ? '' : `, ${place}`}), ${what}; the run goes on`,
        ),
      )
    }
    if (broken && abort.signal.aborted) return
    broken = true
    say(`stopping: a strategy or an agent threw outside of its calls: ${why}`)
    const { candidates } = blamed
    if (candidates.length > 0)
      say(
        `it was one of these, which were under way:\n${candidates.map((one) => `  ${safeLine(one)}`).join('\n')}\nwith --parallel 1 there is one at a time: bench run --resume RUN --parallel 1`,
      )
    abort.abort()
  }
  const onLate = (error: unknown) => {
    say(
      `what a strategy or an agent left running, or bench itself, threw when all was done: ${safeLine(thrownText(error))}`,
    )
    endNow(1)
  }
  const onExit = () => {
    process.exitCode = 1
    const who = safeLine(whoIsAtWork() ?? 'a strategy or an agent')
    say(`${who} ended the process, as process.exit() does${goOn === '' ? '' : `; ${goOn}`}`)
  }
  const { chdir } = process
  process.chdir = (folder) => {
    throw new Error(
      `process.chdir(${JSON.stringify(folder)}) would move the whole run. Use whole paths instead.`,
    )
  }
  const { log, info, debug } = console
  Object.assign(console, { log: console.error, info: console.error, debug: console.error })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  process.on('uncaughtException', onThrow)
  process.on('unhandledRejection', onThrow)
  process.on('exit', onExit)
  const letGo = holdWatch()
  const { hearsSignals, end: endBefore } = blockPolicy
  Object.assign(blockPolicy, { hearsSignals: true, end })
  endBlockedAfter(usualEndMs)
  tellGoOn(goOn)
  return {
    begun(folder) {
      goOn = `go on with: bench run --resume ${shellWord(folder)}`
      tellGoOn(goOn)
    },
    get broken() {
      return broken
    },
    end() {
      letGo()
      endBlockedAfter(Number.POSITIVE_INFINITY)
      Object.assign(blockPolicy, { hearsSignals, end: endBefore })
      Object.assign(console, { log, info, debug })
      process.chdir = chdir
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, onSignal)
      for (const event of ['uncaughtException', 'unhandledRejection']) {
        process.off(event, onThrow)
        // A timer of the user's code may outlive all trials.
        process.on(event, onLate)
      }
      process.off('exit', onExit)
    },
  }
}
