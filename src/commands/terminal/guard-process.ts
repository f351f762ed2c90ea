import { type Blame, blame } from '../../loop/state/user-code.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { thrownText } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import {
  blockPolicy,
  countSignal,
  endBlockedAfter,
  holdWatch,
  tellGoOn,
  whoIsAtWork,
} from '../../user-code/block-state.ts'
import { exitAfterFlush } from './end-leftovers.ts'

/** A command that code of the user's has blocked is ended after this time, counted from when that was told. */
const usualEndMs = 30_000

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

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
  let remedy = progress ? 'nothing has begun: put the code right, and run the same again' : ''
  const print = (text: string) => {
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
    print('stopping: calls in flight are cut off; once more to stop at once')
  }
  const onThrow = (error: unknown) => {
    const why = safeLine(thrownText(error))
    const blamed = blame(error)
    if ('trial' in blamed) {
      // Its record says what is true; yet not all is well.
      if (blamed.ended) broken = true
      return print(blameText(blamed, why))
    }
    if (broken && abort.signal.aborted) return
    broken = true
    print(`stopping: a strategy or an agent threw outside of its calls: ${why}`)
    if (blamed.candidates.length > 0) print(candidatesText(blamed.candidates))
    abort.abort()
  }
  const onLate = (error: unknown) => {
    print(
      `what a strategy or an agent left running, or bench itself, threw when all was done: ${safeLine(thrownText(error))}`,
    )
    exitAfterFlush(1)
  }
  const onExit = () => {
    process.exitCode = 1
    const who = safeLine(whoIsAtWork() ?? 'a strategy or an agent')
    print(`${who} ended the process, as process.exit() does${remedy === '' ? '' : `; ${remedy}`}`)
  }
  const restoreProcess = guardFolderAndConsole()
  for (const signal of signals) process.on(signal, onSignal)
  process.on('uncaughtException', onThrow)
  process.on('unhandledRejection', onThrow)
  process.on('exit', onExit)
  const stopWatch = holdWatch()
  const { hearsSignals, end: endBefore } = blockPolicy
  Object.assign(blockPolicy, { hearsSignals: true, end })
  endBlockedAfter(usualEndMs)
  tellGoOn(remedy)
  return {
    begun(folder) {
      remedy = `go on with: bench run --resume ${shellWord(folder)}`
      tellGoOn(remedy)
    },
    get broken() {
      return broken
    },
    end() {
      stopWatch()
      endBlockedAfter(Number.POSITIVE_INFINITY)
      Object.assign(blockPolicy, { hearsSignals, end: endBefore })
      restoreProcess()
      for (const signal of signals) process.off(signal, onSignal)
      for (const event of ['uncaughtException', 'unhandledRejection']) {
        process.off(event, onThrow)
        // A timer of the user's code may outlive all trials.
        process.on(event, onLate)
      }
      process.off('exit', onExit)
    },
  }
}

/** Keeps the working folder where it is, and what code of the user's prints out of the results. Gives back both. */
function guardFolderAndConsole(): () => void {
  const { chdir } = process
  process.chdir = (folder) => {
    throw new Error(
      `process.chdir(${JSON.stringify(folder)}) would move the whole run. Use whole paths instead.`,
    )
  }
  const { log, info, debug } = console
  Object.assign(console, { log: console.error, info: console.error, debug: console.error })
  return () => {
    Object.assign(console, { log, info, debug })
    process.chdir = chdir
  }
}

function blameText({ trial, name, place, ended }: Extract<Blame, { trial: string }>, why: string): string {
  const what = ended ? 'after that trial had ended: its record stands' : 'so that trial ends in error'
  const at = place === undefined ? '' : `, ${place}`
  return safeLine(
    `trial ${trial}: ${name} threw where nobody awaited it (${why}${at}), ${what}; the run goes on`,
  )
}

function candidatesText(candidates: readonly string[]): string {
  const lines = candidates.map((one) => `  ${safeLine(one)}`).join('\n')
  return `it was one of these, which were under way:\n${lines}\nwith --parallel 1 there is one at a time: bench run --resume RUN --parallel 1`
}
