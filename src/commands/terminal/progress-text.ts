import { formatUsd } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { timeLeft, type WorkTimes } from './time-left.ts'

interface RowDone {
  done: number
  graded: number
  passed: number
}

/** How far a session of a run is. Times are in ms, by one clock. */
export interface ProgressState {
  trials: number
  /** Trials that have ended, and those of them that had ended before this session. */
  done: number
  before: number
  startedAt: number
  rows: Map<string, RowDone>
  /** Whether a trial of this session was simulated; results by method are shown only then, since a look at others counts. */
  simulated: boolean
  /** US dollars of this session's trials and of earlier sessions; `atLeast`: some calls have no known price. */
  costUsd: number
  atLeast: boolean
  /** The limit of the run in dollars. */
  maxCostUsd: number | undefined
  /** Follows dollars that nobody pays. */
  dollarMark: string
  /** Tasks being prepared by now, with their numbers, and the number of all tasks. */
  preparing: Map<string, number>
  /** Whether wrong solutions of them are tried out. */
  tries: boolean
  tasks: number
  work: WorkTimes
  /** The trial that ended last. */
  last: string
}

/** Adds a trial that ended. */
export function addTrial(state: ProgressState, record: TrialRecord, done: number): void {
  const name = rowName(record.method, record.agentSet)
  const row = state.rows.get(name) ?? { done: 0, graded: 0, passed: 0 }
  row.done++
  if (record.passed !== null) row.graded++
  if (record.passed) row.passed++
  state.rows.set(name, row)
  state.done = done
  state.work.trials++
  state.work.trialMs += record.wall.ms
  state.simulated ||= record.simulated
  state.costUsd += record.spent.costUsd ?? 0
  state.atLeast ||= record.spent.costUsd === null
  state.last = safeLine(`${name} on ${record.task}: ${verdict(record)}`)
}

/**
 * Returns one line of at most `width` characters: trials, passed ones, time, time left, dollars, what is prepared, the last trial,
 * and results by method. Parts that do not fit are left out, the last ones first.
 */
export function progressText(state: ProgressState, now: number, width: number): string {
  let text = `${state.done}/${state.trials}`
  for (const forms of partsOf(state, now)) {
    const fitting = forms.find((form) => form !== '' && text.length + 2 + form.length <= width)
    if (fitting !== undefined) text += `  ${fitting}`
  }
  return text.slice(0, Math.max(0, width))
}

function partsOf(state: ProgressState, now: number): string[][] {
  const elapsed = Math.max(0, now - state.startedAt)
  const { work, trials, done, tasks } = state
  const left = timeLeft(work, { trials: trials - done, tasks }, elapsed, now)
  const preparing = preparingForms(state)
  return [
    ...(preparing.length > 0 ? [] : [passedForms(state)]),
    left === undefined
      ? [duration(elapsed)]
      : [
          `${duration(elapsed)}, ${left.atLeast ? 'more than' : 'about'} ${duration(left.ms)} left`,
          duration(elapsed),
        ],
    [moneyText(state)],
    ...(preparing.length > 0 ? [preparing, passedForms(state)] : [[state.last]]),
    [rowsText(state)],
  ]
}

function passedForms({ rows, before }: ProgressState): string[] {
  const all = [...rows.values()]
  const graded = all.reduce((sum, row) => sum + row.graded, 0)
  if (graded === 0) return []
  const text = `${all.reduce((sum, row) => sum + row.passed, 0)}/${graded} passed`
  return before > 0 ? [`${text} since the resume`, text] : [text]
}

function moneyText({ costUsd, atLeast, maxCostUsd, dollarMark, simulated }: ProgressState): string {
  if (maxCostUsd === undefined && (simulated || (costUsd === 0 && !atLeast))) return ''
  const spent = `${atLeast ? 'at least ' : ''}${formatUsd(costUsd)}`
  return maxCostUsd === undefined ? spent : `${spent} of ${formatUsd(maxCostUsd)}${dollarMark}`
}

function preparingForms({ preparing, tasks, tries }: ProgressState): string[] {
  const [first] = preparing
  if (!first) return []
  const [task, number] = first
  const text = `preparing task ${number} of ${tasks}`
  const named = `${text} (${safeLine(task)})`
  const why = 'trying out wrong solutions for the simulated agents, once'
  return [...(tries ? [`${named}: ${why}`, `${text}: ${why}`] : []), named, text]
}

function rowsText({ rows, simulated }: ProgressState): string {
  if (rows.size < 2) return ''
  const each = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
  return each
    .map(([name, { done, graded, passed }]) =>
      safeLine(simulated ? `${name} ${passed}/${graded}` : `${name} ${done} done`),
    )
    .join(', ')
}

/** Formats ms: `64 s`, `12 min`, `3.2 h`. */
export function duration(ms: number): string {
  if (ms < 119_500) return `${Math.round(ms / 1000)} s`
  return ms < 7_170_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`
}

function verdict(record: Pick<TrialRecord, 'passed' | 'outcome'>): string {
  if (record.passed === null)
    return record.outcome.status === 'completed' ? 'completed, not graded' : record.outcome.status
  return record.passed ? 'passed' : 'not passed'
}
