import { setMaxListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pMap from 'p-map'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { Trial } from '../../schema/ledger/trial.ts'
import type { LimitUse } from '../../schema/limits.ts'
import type { Task } from '../../schema/task.ts'
import type { Strategy } from '../../strategy.ts'
import { StorageError } from '../../text/errors.ts'
import type { PastTrial } from '../journal/ledger-index.ts'
import { readRecords, sortRecords } from '../record/records.ts'
import { holdRunFolder } from '../record/sessions.ts'
import type { Session } from '../state/run-session.ts'
import { Interrupted } from '../state/trial-state.ts'
import { type FinishedTrial, gradeTrial } from '../trial/grade-trial.ts'
import { createVainWatch, type VainWatch } from '../trial/in-vain.ts'
import { playTrial } from '../trial/play-trial.ts'
import { type BeginOptions, type BegunWork, beginWork } from './begin-work.ts'
import { createMatching, type Matching } from './budget-matching.ts'
import { preparer } from './prepare.ts'

export interface WorkOptions extends BeginOptions {
  /** Goes on with a live run whose trials fail alike. */
  keepGoing?: boolean
  /** Called when a trial has ended, in the order of ending. */
  onFinished?(finished: FinishedTrial): void
  /** Called with each record when it is appended. */
  onRecord?(record: TrialRecord): void
  /** Asked after each record: true stops the run for its results. */
  isSettled?(): boolean
}

/** How a session of work ended. */
export interface WorkEnd {
  trials: number
  done: number
  interrupted: boolean
  /** A rule fixed before the run stopped it for its results; trials in flight ended. */
  settled: boolean
  /** Why the rest would have been paid in vain; trials in flight ended. */
  inVain: string | undefined
  divergences: number
  /** Calls of an earlier session that may have been paid though their result was never seen. */
  maybePaid: number
  /** The limits of the run and of its methods, and how much of them is used. */
  limits: LimitUse[]
}

/** What all trials of a session share. */
interface Working extends BegunWork {
  session: Session
  options: WorkOptions
  stop: AbortController
  end: WorkEnd
  prepare(task: Task): Promise<void> | undefined
  matching: Matching | undefined
  failing: VainWatch | undefined
  /** What broke in trials, and is a fault of ours. */
  faults: unknown[]
}

/**
 * Runs what the plan holds and the run folder has no record of, at most `parallel` trials at once, and answers from
 * the journal what an earlier session had done of them. Aborting ends it cleanly: what is recorded stays, the rest
 * is for the next session.
 */
export async function work(session: Session, options: WorkOptions): Promise<WorkEnd> {
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  // Every call and child process listens while it lasts, and there may be many at once.
  setMaxListeners(0, signal)
  const lock = holdRunFolder(session.folder, (error) => stop.abort(error))
  const closing: (() => void)[] = []
  try {
    const begun = await beginWork(session, options, { lock, stop, signal, closing })
    const working = prepareWork(session, options, begun, stop)
    await pMap(placesLeft(working), (place) => workOff(working, place), { concurrency: options.parallel })
    // A trial that was given up may have left a call behind.
    await begun.run.runBudget?.whenIdle()
    if (working.faults.length > 0) throw working.faults[0]
    // The trials themselves were merely interrupted by it.
    if (signal.reason instanceof StorageError) throw signal.reason
    await begun.journal.persist()
    lock.assertHeld()
    return endWork(working)
  } finally {
    try {
      for (const close of closing.reverse()) close()
    } finally {
      lock.release()
    }
  }
}

function prepareWork(
  session: Session,
  options: WorkOptions,
  begun: BegunWork,
  stop: AbortController,
): Working {
  const { folder, plan, mode, planned = '' } = session
  const { onEvent, parallel, keepGoing } = options
  const done = begun.order.length
  onEvent({
    ...{ type: 'start', folder, trials: plan.length, done, parallel },
    ...(planned !== '' && { planned }),
  })
  const earlierRecords = () => (done > 0 ? readRecords(folder) : [])
  return {
    ...begun,
    session,
    options,
    stop,
    end: {
      trials: plan.length,
      done,
      interrupted: false,
      settled: options.isSettled?.() ?? false,
      inVain: undefined,
      divergences: 0,
      maybePaid: 0,
      limits: [],
    },
    prepare: preparer(session, begun.run.signal, onEvent),
    matching: createMatching(plan, earlierRecords),
    failing: mode === 'live' && !keepGoing ? createVainWatch(earlierRecords()) : undefined,
    faults: [],
  }
}

/** The places in the plan that have no record, as long as the run goes on. */
function* placesLeft({ session, run, end, isDone }: Working): Generator<number> {
  for (let place = 0; place < session.plan.length; place++) {
    if (run.signal.aborted || end.settled || end.inVain !== undefined) return
    if (!isDone(place)) yield place
  }
}

/** Runs a trial, grades it and records it. */
async function workOff(working: Working, place: number): Promise<void> {
  const { session, run, stop, matching, faults } = working
  const trial = session.plan.at(place)
  const { task: ref, method } = trial.cell
  try {
    if (run.runBudget && !run.runBudget.mayAsk(method.label)) throw new Interrupted()
    const task = session.tasks.get(ref) as Task
    const strategy = session.strategies.get(method.strategy) as Strategy
    await working.prepare(task)
    const before = recordedBefore(working, trial)
    const budget = await matching?.budget(trial)
    if (method.match && !budget) throw new Interrupted()
    const played = await playTrial(run, trial, task, strategy, before, budget)
    const finished = await gradeTrial(played)
    recordTrial(working, place, finished)
  } catch (error) {
    // Whatever its end, it has no record that others could go by.
    matching?.settle(trial, undefined)
    if (error instanceof Interrupted) return
    // A fault of ours in one trial must stop the others, and then be told.
    stop.abort(error)
    faults.push(error)
  }
  // Signals and timers come in: trials of a dry run wait for nothing outside.
  await nextTurn()
}

/** What an earlier session had done of a trial. */
function recordedBefore({ recorded, end, options }: Working, { id }: Trial): PastTrial | undefined {
  const before = recorded(id)
  if (!before || before.lost.length === 0) return before
  end.maybePaid += before.lost.length
  options.onEvent({ type: 'lost', trial: id, calls: before.lost.length })
  return before
}

function recordTrial(working: Working, place: number, finished: FinishedTrial): void {
  const { session, options, journal, order, end, matching } = working
  const { record, divergences, paid } = finished
  // What a trial made is saved before its record says that it has ended.
  options.onFinished?.(finished)
  journal.record(record)
  order.push(place)
  // Synced with all others at the end: what the power takes of it is made again from its steps, which are paid no more.
  if (paid) journal.flushRecords()
  options.onRecord?.(record)
  end.settled ||= options.isSettled?.() ?? false
  matching?.settle(session.plan.at(place), record)
  end.done++
  end.divergences += divergences.length
  for (const message of divergences) options.onEvent({ type: 'divergence', message })
  options.onEvent({ type: 'trial', record, done: end.done, trials: end.trials })
  end.inVain ??= working.failing?.(finished)
}

function endWork({ session, run, order, end, noteEnd }: Working): WorkEnd {
  end.interrupted = end.done < end.trials && !end.settled
  if (!end.interrupted) {
    end.inVain = undefined
    // So that equal runs give equal files, whichever trial ended first.
    sortRecords(session.folder, order)
  }
  end.limits = run.runBudget?.limitUses() ?? []
  noteEnd(end)
  return end
}
