import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dollarMark } from '../../analysis/evidence.ts'
import type { LineSpan } from '../../loop/journal/lines.ts'
import { runFiles } from '../../loop/journal/run-files.ts'
import { isInBlocks } from '../../loop/record/in-blocks.ts'
import { readSessions } from '../../loop/record/sessions.ts'
import { costText, counted, formatCount, formatUsd, present } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { duration } from '../terminal/progress-text.ts'
import { noWork, timeLeft } from '../terminal/time-left.ts'
import { readLine } from './read-trial.ts'
import type { ViewedRun } from './run-folders.ts'

/** How far a run is. */
export interface RunProgress {
  state: string
  /** Trials with a record, of those that are planned. */
  done: number
  planned: number
  /** `84 of 156 trials, about 2 min left, $0.027 of $5.00`. */
  text: string
  /** Who does what now, a sentence for each trial that has begun and not ended; empty unless the run works. */
  now: string[]
}

/** Returns how far a run is. */
export async function progressOf(run: ViewedRun): Promise<RunProgress> {
  const { manifest, index, state } = run
  const heads = [...index.heads.values()]
  const errors = heads.filter(({ mark }) => mark === 'error').length
  const text = present([
    `${formatCount(heads.length)} of ${counted(manifest.trials, 'trial')}${isInBlocks(run.folder) ? ' joined' : ''}`,
    errors > 0 && counted(errors, 'error'),
    leftText(run),
    moneyText(run),
  ]).join(', ')
  const [done, planned] = [heads.length, manifest.trials]
  return { state, done, planned, text, now: state === 'running' ? await doingNow(run) : [] }
}

/** The time left at the rate of this session; nothing if the run does not work, or the rate is not known yet. */
function leftText({ folder, manifest, index, state }: ViewedRun): string {
  const session = readSessions(folder).at(-1)
  if (state !== 'running' || !session || session.end) return ''
  const own = [...index.heads.values()].filter(({ startedAt }) => startedAt >= session.startedAt)
  const now = Date.now()
  const work = { ...noWork(), trials: own.length, trialMs: own.reduce((sum, { ms }) => sum + ms, 0) }
  const elapsed = now - Date.parse(session.startedAt)
  const left = timeLeft(work, { trials: manifest.trials - index.heads.size, tasks: 0 }, elapsed, now)
  return left === undefined ? '' : `about ${duration(left.ms)} left`
}

/** The dollars of the trials that ended, and the limit of the run; nothing for dollars that nobody pays, without a limit. */
function moneyText({ folder, manifest, index }: ViewedRun): string {
  const limit = readSessions(folder).at(-1)?.budgets.run.costUsd
  const mark = dollarMark(manifest)
  if (limit === undefined && mark !== '') return ''
  const costs = [...index.heads.values()].map(({ costUsd }) => costUsd)
  const spent = costText(
    costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
    costs.filter((cost) => cost === null).length,
  )
  return `${spent}${limit === undefined ? '' : ` of ${formatUsd(limit)}`}${mark} in ${isInBlocks(folder) ? 'joined' : 'ended'} trials`
}

const mostNow = 12

async function doingNow({ folder, index, names: namesOf }: ViewedRun): Promise<string[]> {
  const open = [...index.steps].filter(([trial]) => !index.heads.has(trial)).slice(-mostNow)
  if (open.length === 0) return []
  const names = await namesOf()
  return Promise.all(
    open.map(async ([trial, lines]) => {
      const said = await deedText(folder, lines)
      return safeLine(`${names.get(trial) ?? trial.slice(0, 12)}: ${said}`)
    }),
  )
}

async function deedText(folder: string, lines: readonly LineSpan[]): Promise<string> {
  const last = lines.at(-1)
  const text = last && (await readLine(join(folder, runFiles.steps), last))
  if (text === undefined) return 'begins'
  const step = Object(JSON.parse(text)) as { kind?: string; role?: string; agent?: string }
  switch (step.kind) {
    case 'intent':
      return `waits for ${step.agent}`
    case 'ask':
      return `${step.role} has answered`
    default:
      return step.kind ?? 'works'
  }
}

/** Returns whether a person has asked the run to pause. */
export const isPausing = async ({ folder }: ViewedRun): Promise<boolean> =>
  (await readFile(join(folder, runFiles.pause)).catch(() => undefined)) !== undefined
