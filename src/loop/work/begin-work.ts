import { cpus } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { type Problem, UserError } from '../../text/errors.ts'
import { createRateLimiter } from '../budget/rate-limiter.ts'
import { noBudgets } from '../budget/run-budget.ts'
import { cutHangingCalls } from '../budget/time-limit.ts'
import { type Journal, journalFiles, openJournal } from '../journal/journal.ts'
import { parseLine, readJournalLines } from '../journal/jsonl.ts'
import { indexJournal, type PastTrial } from '../journal/ledger-index.ts'
import type { FolderLock } from '../record/lock.ts'
import { beginSession, type SessionEnd } from '../record/sessions.ts'
import { assertRecordsMatch, findLostLines } from '../record/verify-ledger.ts'
import type { RunEvent } from '../state/events.ts'
import { createRunState, type Session } from '../state/run-session.ts'
import { Interrupted, type RunState, type TrialState } from '../state/trial-state.ts'
import { idsOf, isBegun, recorded } from './resume.ts'
import { type TakenBack, takeBackErrors, takenBackNotes } from './retry-errors.ts'
import { admissionOf } from './session-budget.ts'
import { endIdleTrials } from './stalled-trials.ts'

/** How a session of work begins. */
export interface BeginOptions {
  /** Trials at once. */
  parallel: number
  signal: AbortSignal
  onEvent(event: RunEvent): void
  /** Runs the trials again that ended in error. */
  retryErrors?: boolean
}

/** What stops a session of work, and what is to be closed at its end, the last first. */
export interface Holding {
  lock: FolderLock
  stop: AbortController
  signal: AbortSignal
  closing: (() => void)[]
}

/** What earlier sessions have left. */
interface Earlier {
  /** The places in the plan of the records that are there, in the order of the file. */
  order: number[]
  isDone(place: number): boolean
  /** Undefined: nothing was begun. */
  recorded(trial: string): PastTrial | undefined
  /** Trace events that were told already. */
  known: Set<string>
}

/** A session of work that has begun. */
export interface BegunWork extends Omit<Earlier, 'known'> {
  run: RunState
  journal: Journal
  /** Notes how the session ended. */
  noteEnd(end: SessionEnd): void
}

/** Notes the session, takes back trials that are to be run again, opens the journal, and finds what it holds. */
export async function beginWork(
  session: Session,
  options: BeginOptions,
  { lock, stop, signal, closing }: Holding,
): Promise<BegunWork> {
  const { folder, mode, budgets = noBudgets } = session
  const warn = (message: string) => options.onEvent({ type: 'warning', message })
  const started = performance.now()
  // Before anything is added to it.
  const lost = findLostLines(folder)
  const noted = beginSession(folder, {
    ...{ parallel: options.parallel, budgets },
    ...(mode === 'live' && { machine: machineName() }),
  })
  const again = options.retryErrors ? await takeBackErrors(folder) : undefined
  for (const message of again ? takenBackNotes(again, lost) : []) warn(message)
  const journal = openJournal(folder, {
    checksums: mode === 'live',
    onStorageError: (error) => stop.abort(error),
    assertWritable: lock.assertHeld,
  })
  closing.push(() => journal.close())
  const { known, ...earlier } = readEarlier(session, journal, { again, lost }, closing)
  const now = () => noted.pastMs + performance.now() - started
  const runBudget = admissionOf({ ...session, budgets }, journal, now, options.onEvent)
  const running: TrialState[] = []
  closing.push(
    endIdleTrials(running, signal),
    cutHangingCalls(budgets.run.timeMs, now, runBudget, () => stop.abort(new Interrupted())),
  )
  return {
    ...earlier,
    journal,
    run: {
      ...createRunState(session, journal, signal, known, running),
      runBudget,
      rateLimiter: createRateLimiter(warn),
      warn,
    },
    noteEnd: (end) => noted.end(performance.now() - started, end, options.signal.aborted),
  }
}

/** Throws `UserError` where records do not follow from their steps, and where steps are lost that are not to be taken again. */
function readEarlier(
  { folder, plan }: Session,
  { blobs }: Journal,
  { again, lost }: { again: TakenBack | undefined; lost: Problem | undefined },
  closing: Holding['closing'],
): Earlier {
  const { order, isDone, check } = recorded(folder, plan)
  if (!isBegun(folder)) return { order, isDone, recorded: () => undefined, known: new Set() }
  const { planned, wanted } = idsOf(plan, isDone)
  const index = indexJournal(
    folder,
    blobs,
    (id) => wanted.has(id),
    (id) => planned.has(id),
    check,
  )
  closing.push(index.close)
  assertRecordsMatch(folder, check.problems())
  if (lost && !again) throw new UserError(lost)
  const known = knownEvents(folder, (trial) => wanted.has(trial) && !again?.trials.has(trial))
  return { order, isDone, recorded: index.readTrial, known }
}

/** `8 x AMD EPYC 7B13`: what times of a live run depend on. */
function machineName(): string {
  const all = cpus()
  const kinds = [...new Set(all.map(({ model }) => model.trim()))]
  return `${all.length} x ${kinds.join(', ') || 'processor'}`
}

/** What every line of events.jsonl has, whatever else its event tells; of the whole run, the trial is null. */
const EventLine = z.looseObject({ type: z.string(), trial: z.string().nullable(), key: z.string() })

/**
 * Trace events that stand in the file already, as `trial key`, of the trials that are wanted: a trial tells them again as
 * it is answered. Throws `UserError` for a damaged line.
 */
export function knownEvents(folder: string, wanted: (trial: string) => boolean): Set<string> {
  const path = join(folder, journalFiles.events)
  const known = new Set<string>()
  for (const { text, place } of readJournalLines(path, 'Remove the line from the run folder.')) {
    const { trial, key } = parseLine(text, EventLine, place)
    if (trial !== null && wanted(trial)) known.add(`${trial} ${key}`)
  }
  return known
}
