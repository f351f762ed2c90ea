import { clearLine, cursorTo } from 'node:readline'
import type { RunEvent } from '../../loop/state/events.ts'
import { alertText } from '../../reports/words/limit-text.ts'
import { counted } from '../../reports/words/numbers.ts'
import { safeText } from '../../reports/words/safe-text.ts'
import { rowName } from '../../schema/agent/agent-set.ts'

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

/** Prints a live line on a terminal, at most ten times a second. Elsewhere prints plain lines, at most one a second, to keep logs short. */
export function createProgress(output: Output, quiet: boolean): Progress {
  const live = output.isTTY === true && !process.env.CI && process.env.TERM !== 'dumb'
  const everyMs = live ? 100 : 1000
  const started = Date.now()
  let passed = 0
  let before = 0
  let graded = 0
  let last = started
  let shown = false
  let held: string[] | undefined

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
  // The system clock may be set back.
  const isDue = (now: number) => Math.abs(now - last) >= everyMs
  const status = (text: string, now: number) => {
    if (held) return
    last = now
    if (!live) return void output.write(`${text}\n`)
    clear()
    output.write(text.slice(0, Math.max(20, (output.columns ?? 80) - 1)))
    shown = true
  }

  const onEvent = (event: RunEvent) => {
    if (event.type === 'divergence') return line(`divergence: ${safeText(event.message)}`)
    if (event.type === 'warning') return line(`note: ${safeText(event.message)}`)
    if (event.type === 'alert') return line(`note: ${safeText(alertText(event))}`)
    if (event.type === 'lost')
      return line(
        `trial ${event.trial}: ${counted(event.calls, 'call')} of an earlier session ended without a result and may have been paid; bench asks again`,
      )
    if (quiet) return
    const now = Date.now()
    if (event.type === 'start') {
      before = event.done
      const done = event.done > 0 ? `, ${event.done} done before` : ''
      const planned = event.planned === undefined ? '' : `, ${event.planned}`
      line(
        `${counted(event.trials, 'trial')}${done}, ${event.parallel} in parallel${planned} -> ${safeText(event.folder)}`,
      )
    } else if (event.type === 'prepare') {
      if (event.state === 'begin' && isDue(now))
        status(`preparing ${safeText(event.task)}: running its mutants once`, now)
    } else {
      const { record, done, trials } = event
      if (record.passed !== null) graded++
      if (record.passed) passed++
      if (!isDue(now) && done < trials) return
      const seconds = ((now - started) / 1000).toFixed(0)
      const since = before > 0 ? ' since the resume' : ''
      const share = graded > 0 ? `${passed}/${graded} passed${since}  ` : ''
      const text = `${done}/${trials}  ${share}${seconds} s  ${safeText(rowName(record.method, record.agentSet))} on ${safeText(record.task)}: ${verdict(record)}`
      status(text, now)
    }
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
  return { onEvent, end: clear, hold }
}

function verdict(record: { passed: boolean | null; outcome: { status: string } }): string {
  if (record.passed === null)
    return record.outcome.status === 'completed' ? 'completed, not graded' : record.outcome.status
  return record.passed ? 'passed' : 'not passed'
}
