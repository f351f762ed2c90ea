import { clearLine, cursorTo } from 'node:readline'
import { evidenceOf } from '../../analysis/evidence.ts'
import type { RunEvent } from '../../loop/branch/run-session.ts'
import { alertText } from '../../reports/words/limit-text.ts'
import { counted } from '../../reports/words/numbers.ts'
import { safeText } from '../../reports/words/safe-text.ts'
import { addTrial, type ProgressState, progressText } from './progress-text.ts'
import { noWork } from './time-left.ts'

/** A stream that may be a terminal. */
type Output = NodeJS.WriteStream | (NodeJS.WritableStream & { isTTY?: false; columns?: number })

/** Prints a run's events. */
interface Progress {
  onEvent(event: RunEvent): void
  /** Clears the live line before other output. */
  end(): void
  /** Prints nothing until the returned function is called; notes are printed then. */
  hold(): () => void
}

/** Characters of a plain line, so that logs can be read. */
const logWidth = 100

/** The live line is printed again this often, so that its times go on; ms. Plain lines come this often where nothing ends. */
const [redrawMs, silentMs] = [1000, 10_000]

/**
 * Prints a live line on a terminal, at most ten times a second. Elsewhere prints plain lines, at most one a second, to keep logs
 * short. `simulation` says what a simulated run is for, in place of its folder.
 */
export function createProgress(output: Output, quiet: boolean, simulation?: string): Progress {
  const live = output.isTTY === true && !process.env.CI && process.env.TERM !== 'dumb'
  const everyMs = live ? 100 : 1000
  const state = emptyState(Date.now())
  let last = state.startedAt
  let shown = false
  let held: string[] | undefined
  let timer: NodeJS.Timeout | undefined

  const clear = () => {
    if (!shown) return
    clearLine(output, 0)
    cursorTo(output, 0)
    shown = false
  }
  const line = (text: string) => {
    if (held) return void held.push(text)
    clear()
    output.write(`${text}\n`)
  }
  const status = (now: number) => {
    if (held) return
    last = now
    if (!live) return void output.write(`${progressText(state, now, logWidth)}\n`)
    clear()
    // A line that fills the terminal may wrap.
    output.write(progressText(state, now, Math.max(1, (output.columns || 80) - 1)))
    shown = true
  }
  // The system clock may be set back.
  const isDue = (now: number, ms = everyMs) => Math.abs(now - last) >= ms
  const tick = () => {
    const now = Date.now()
    if (isDue(now, live ? redrawMs : silentMs)) status(now)
  }
  const stopTimer = () => {
    clearInterval(timer)
    timer = undefined
  }

  const onEvent = (event: RunEvent) => {
    const note = noteOf(event, state.dollarMark)
    if (note !== undefined) return line(note)
    if (quiet) return
    timer ??= setInterval(tick, redrawMs).unref()
    const now = Date.now()
    if (event.type === 'start') {
      line(openingText(event, simulation))
      state.startedAt = now
    }
    count(state, event, now)
    const isLast = event.type === 'trial' && event.done === event.trials
    const shows = event.type === 'trial' || (event.type === 'prepare' && event.state === 'begin')
    if (shows && (isLast || isDue(now))) status(now)
    if (isLast) stopTimer()
  }
  const hold = () => {
    clear()
    held ??= []
    return () => {
      const texts = held ?? []
      held = undefined
      texts.forEach(line)
    }
  }
  const end = () => {
    stopTimer()
    clear()
  }
  return { onEvent, end, hold }
}

/** Shows how far a simulation is, without its warnings: the run that it stands for gives them itself. */
export const onlyProgress =
  ({ onEvent }: Progress) =>
  (event: RunEvent): void => {
    if (['start', 'prepare', 'trial'].includes(event.type)) onEvent(event)
  }

const emptyState = (startedAt: number): ProgressState => ({
  ...{ trials: 0, done: 0, before: 0, startedAt, rows: new Map(), simulated: false, costUsd: 0 },
  ...{ atLeast: false, maxCostUsd: undefined, dollarMark: '', preparing: new Map(), tries: false },
  ...{ tasks: 0, work: noWork(), last: '' },
})

function count(state: ProgressState, event: RunEvent, now: number): void {
  if (event.type === 'start') {
    const { trials, done, costUsd } = event
    Object.assign(state, { trials, done, before: done })
    state.maxCostUsd = costUsd?.of
    state.costUsd = costUsd?.used ?? 0
    state.dollarMark = evidenceOf({
      simulated: event.simulatedUsd === true,
      recorded: event.recordedUsd,
    }).mark
  } else if (event.type === 'trial') addTrial(state, event.record, event.done)
  else if (event.type === 'prepare' && event.state === 'begin') {
    state.tasks = event.tasks
    state.tries = event.tries
    state.preparing.set(event.task, event.number)
    state.work.preparing.set(event.task, now)
  } else if (event.type === 'prepare') {
    state.preparing.delete(event.task)
    state.work.prepared++
    state.work.preparedMs += Math.max(0, now - (state.work.preparing.get(event.task) ?? now))
    state.work.preparing.delete(event.task)
  }
}

/** Returns the line of an event that is always printed; undefined for one that only shows how far the run is. */
function noteOf(event: RunEvent, mark: string): string | undefined {
  if (event.type === 'divergence') return `divergence: ${safeText(event.message)}`
  if (event.type === 'warning') return `note: ${safeText(event.message)}`
  if (event.type === 'alert') return `note: ${safeText(alertText(event, mark))}`
  if (event.type === 'lost')
    return `trial ${event.trial}: ${counted(event.calls, 'call')} of an earlier session ended without a result and may have been paid; bench asks again`
  return undefined
}

function openingText(event: Extract<RunEvent, { type: 'start' }>, simulation: string | undefined): string {
  const parallel = event.parallel === 0 ? 'by workers' : `${event.parallel} in parallel`
  if (simulation !== undefined)
    return `simulating ${counted(event.trials, 'trial')} ${simulation}, ${parallel}`
  const done = event.done > 0 ? `, ${event.done} done before` : ''
  const planned = event.planned === undefined ? '' : `, ${event.planned}`
  const sandbox = event.sandbox === undefined ? '' : `, sandbox ${event.sandbox}`
  return `${counted(event.trials, 'trial')}${done}, ${parallel}${planned}${sandbox} -> ${safeText(event.folder)}`
}
