import { type Blame, blame, Stopping } from '../../loop/branch/user-code.ts'
import { resumeCommand } from '../../loop/record/in-blocks.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { thrownText } from '../../text/errors.ts'
import {
  acquireWatchdog,
  blockPolicy,
  countSignal,
  findRunningCode,
  setBlockTimeout,
  setResumeHint,
} from '../../user-code/watchdog-state.ts'
import { exitAfterFlush } from './standard-streams.ts'

/** Time between the warning that user code blocks the process and the end of the process. */
const defaultEndMs = 30_000

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A signal so soon after the first one is the same: npm passes on the Ctrl-C that the terminal has also sent to bench. */
const repeatMs = 100

const paidCalls = ({ calls }: Stopping) => `${calls} paid ${calls === 1 ? 'call' : 'calls'}`

/** Guards the process during a run or a replay. */
interface ProcessGuard {
  /** Whether user code threw outside of every trial. */
  readonly broken: boolean
  /** Notes that a run has begun in this folder, which can be resumed from now on. */
  begun(folder: string): void
  end(): void
}

/**
 * Guards the process against signals and user code. The first signal ends a run cleanly and lets paid calls in flight end; the second
 * one cuts these off; the next one ends the process. Without such calls the second one does.
 * An uncaught error of a strategy or an agent stops the run like a signal, and its exit of the process is reported. Its console
 * output goes to stderr, and it cannot change the working folder. `progress` is cleared before each message; a replay has none.
 */
export function guardProcess(abort: AbortController, progress?: { end(): void }): ProcessGuard {
  let broken = false
  let remedy = progress ? 'nothing has begun: fix the code and run the same command again' : ''
  const print = (text: string) => {
    progress?.end()
    process.stderr.write(`${text}\n`)
  }
  const end = (code: number) => {
    process.off('exit', onExit)
    process.exit(code)
  }
  const stopping = new Stopping()
  let stoppedAt = 0
  const stop = () => {
    stoppedAt = performance.now()
    abort.abort(stopping)
    print(
      stopping.calls > 0
        ? `stopping: waits for ${paidCalls(stopping)} in flight; Ctrl-C again cuts ${stopping.calls === 1 ? 'it' : 'them'} off`
        : 'stopping: bench aborts the calls in flight; Ctrl-C again stops immediately',
    )
  }
  const onSignal = () => {
    countSignal()
    if (!abort.signal.aborted) return stop()
    if (performance.now() - stoppedAt < repeatMs) return
    if (stopping.calls === 0 || stopping.cutSignal.aborted) return end(130)
    print(`stopping: cuts off ${paidCalls(stopping)}; Ctrl-C again stops immediately`)
    stopping.cut()
  }
  const onThrow = (error: unknown) => {
    const why = safeLine(thrownText(error))
    const blamed = blame(error)
    if ('trial' in blamed) {
      // The record of an ended trial stays, but the exit code must report the error.
      if (blamed.ended) broken = true
      return print(blameText(blamed, why))
    }
    if (broken && abort.signal.aborted) return
    broken = true
    print(`stopping: a strategy or an agent threw an error outside of its calls: ${why}`)
    if (blamed.suspects.length > 0) print(suspectsText(blamed.suspects))
    abort.abort()
  }
  const onLate = (error: unknown) => {
    print(
      `an error was thrown after all trials had ended, by bench or by code that a strategy or an agent left running: ${safeLine(thrownText(error))}`,
    )
    exitAfterFlush(1)
  }
  const onExit = () => {
    process.exitCode = 1
    const who = safeLine(findRunningCode() ?? 'a strategy or an agent')
    print(`${who} ended the process, for example with process.exit()${remedy === '' ? '' : `; ${remedy}`}`)
  }
  const restoreProcess = guardFolderAndConsole()
  for (const signal of signals) process.on(signal, onSignal)
  process.on('uncaughtException', onThrow)
  process.on('unhandledRejection', onThrow)
  process.on('exit', onExit)
  const stopWatch = acquireWatchdog()
  const { handlesSignals, end: endBefore } = blockPolicy
  Object.assign(blockPolicy, { handlesSignals: true, end })
  setBlockTimeout(defaultEndMs)
  setResumeHint(remedy)
  return {
    begun(folder) {
      remedy = `resume with: ${resumeCommand(folder)}`
      setResumeHint(remedy)
    },
    get broken() {
      return broken
    },
    end() {
      stopWatch()
      setBlockTimeout(Number.POSITIVE_INFINITY)
      Object.assign(blockPolicy, { handlesSignals, end: endBefore })
      restoreProcess()
      for (const signal of signals) process.off(signal, onSignal)
      for (const event of ['uncaughtException', 'unhandledRejection']) {
        process.off(event, onThrow)
        // A timer of user code may outlive all trials.
        process.on(event, onLate)
      }
      process.off('exit', onExit)
    },
  }
}

/** Makes `process.chdir` throw, and sends console output to stderr. Returns a function that restores both. */
function guardFolderAndConsole(): () => void {
  const { chdir } = process
  process.chdir = (folder) => {
    throw new Error(
      `process.chdir(${JSON.stringify(folder)}) would move the whole run. Use absolute paths instead.`,
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
  const what = ended ? 'after the trial had ended: its record stays' : 'so the trial ends in error'
  const at = place === undefined ? '' : `, ${place}`
  return safeLine(
    `trial ${trial}: ${name} threw an error that nothing awaited (${why}${at}), ${what}; the run continues`,
  )
}

function suspectsText(suspects: readonly string[]): string {
  const lines = suspects.map((one) => `  ${safeLine(one)}`).join('\n')
  return `one of these was running at that time:\n${lines}\nto run one at a time: bench run --resume RUN --parallel 1`
}
