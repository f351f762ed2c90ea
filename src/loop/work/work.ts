import { setMaxListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import pMap from 'p-map'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { Trial } from '../../schema/ledger/trial.ts'
import type { Task } from '../../schema/task.ts'
import type { Strategy } from '../../strategy.ts'
import { StorageError, UserError } from '../../text/errors.ts'
import { Interrupted } from '../branch/recorded-steps.ts'
import type { Session } from '../branch/run-session.ts'
import type { PastTrial } from '../journal/ledger-index.ts'
import { clearPause } from '../record/people.ts'
import { readRecords, sortRecords } from '../record/records.ts'
import { holdRunFolder, type SessionEnd } from '../record/sessions.ts'
import { type FinishedTrial, gradeTrial } from '../trial/grade-trial.ts'
import { createMatching, type Matching } from '../trial/matched-attempts.ts'
import { createFailureWatch, type FailureWatch } from '../trial/outcome.ts'
import { playTrial } from '../trial/play-trial.ts'
import { type BeginOptions, type BegunWork, beginWork } from './begin-work.ts'
import { createTaskPreparer } from './prepare.ts'

export interface WorkOptions extends BeginOptions {
  /** Continues a live run whose trials all fail in the same way. */
  keepGoing?: boolean
  /** Called when a trial has ended, in the order of ending. */
  onFinished?(finished: FinishedTrial): void
  /** Called with each record after it is appended. */
  onRecord?(record: TrialRecord): void
  /** Called after each record; true stops the run because its results are settled. */
  isSettled?(): boolean
}

/** How a session of work ended. */
export interface WorkEnd extends SessionEnd {
  trials: number
  done: number
  /** Whether the stop rule ended the run; trials in flight were finished. */
  settled: boolean
  /** Whether it stopped since a limit of the run cannot count the calls of an agent. */
  isLimitUnheld: boolean
  divergences: number
}

/** The state that all trials of a session share. */
interface Working extends BegunWork {
  session: Session
  options: WorkOptions
  stop: AbortController
  end: WorkEnd
  prepare(task: Task): Promise<void> | undefined
  matching: Matching | undefined
  failureWatch: FailureWatch | undefined
  /** Errors in trials that are faults of the harness. */
  faults: unknown[]
}

/**
 * Runs every trial of the plan that has no record, at most `parallel` at a time, and takes the steps of earlier sessions from
 * the journal. An abort ends it cleanly: records stay, and the next session does the rest.
 */
export async function work(session: Session, options: WorkOptions): Promise<WorkEnd> {
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  // Every call and child process listens to it, and there may be many.
  setMaxListeners(0, signal)
  const lock = holdRunFolder(session.folder, (error) => stop.abort(error))
  const closing: (() => void)[] = []
  try {
    const begunWork = await beginWork(session, options, { lock, stop, signal, closing })
    const working = prepareWork({ ...session, plan: begunWork.plan }, options, begunWork, stop)
    await pMap(unfinishedPlaces(working), (place) => runPlannedTrial(working, place), {
      concurrency: options.parallel,
    })
    // An abandoned trial may have left a call in flight.
    await begunWork.run.runBudget?.whenIdle()
    if (working.faults.length > 0) throw working.faults[0]
    // An error of the run folder only interrupts the trials.
    const { reason } = signal as { reason: unknown }
    if (reason instanceof StorageError || reason instanceof UserError) throw reason
    await begunWork.run.runBudget?.settle()
    await begunWork.journal.persist()
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
  begunWork: BegunWork,
  stop: AbortController,
): Working {
  const { folder, plan, mode, planned = '', sandboxed } = session
  const { onEvent, parallel, keepGoing } = options
  const done = begunWork.order.length
  const uses = begunWork.run.runBudget?.limitUses() ?? []
  const dollars = uses.find(({ scope, limit }) => scope === 'run' && limit === 'costUsd')
  onEvent({
    ...{ type: 'start', folder, trials: plan.length, done, parallel },
    ...(planned !== '' && { planned }),
    ...(sandboxed && { sandbox: `${sandboxed.level} (${sandboxed.adapter})` }),
    ...(dollars && { costUsd: { of: dollars.of, used: dollars.used } }),
    ...(mode === 'dev' &&
      session.uniqueAgents.some(({ simulated }) => simulated) && { simulatedUsd: true as const }),
    ...(session.uniqueAgents.some(({ recorded }) => recorded) && { recordedUsd: true as const }),
  })
  const earlierRecords = () => (done > 0 ? readRecords(folder) : [])
  return {
    ...begunWork,
    session,
    options,
    stop,
    end: {
      trials: plan.length,
      done,
      interrupted: false,
      settled: options.isSettled?.() ?? false,
      repeatedFailure: undefined,
      isLimitUnheld: false,
      waiting: begunWork.run.people?.waiting ?? [],
      paused: false,
      divergences: 0,
      limits: [],
    },
    prepare: createTaskPreparer(session, begunWork.run.signal, onEvent),
    matching: createMatching(plan, earlierRecords),
    failureWatch: mode === 'live' && !keepGoing ? createFailureWatch(earlierRecords()) : undefined,
    faults: [],
  }
}

/** Yields the places in the plan that have no record, until the run stops. */
function* unfinishedPlaces({ session, run, end, isDone }: Working): Generator<number> {
  for (let place = 0; place < session.plan.length; place++) {
    if (run.signal.aborted || end.settled || end.repeatedFailure !== undefined || run.people?.isPaused())
      return
    if (!isDone(place)) yield place
  }
}

async function runPlannedTrial(working: Working, place: number): Promise<void> {
  const { session, run, stop, matching, faults } = working
  const trial = session.plan.at(place)
  const { task: ref, method } = trial.cell
  try {
    if (run.runBudget && !run.runBudget.mayAsk(method.label)) throw new Interrupted()
    const task = session.tasks.get(ref) as Task
    const strategy = session.strategies.get(method.strategy) as Strategy
    await working.prepare(task)
    const recorded = resumeTrial(working, trial)
    const budget = await matching?.budget(trial)
    if (method.match && !budget) throw new Interrupted()
    const played = await playTrial(run, trial, task, strategy, recorded, budget)
    const finished = await gradeTrial(played)
    // Like artifacts, a workspace is kept before the record, which marks the trial as ended.
    await working.keeper?.keep(task, finished)
    recordTrial(working, place, finished)
  } catch (error) {
    // The trial has no record, so budgets that depend on it cannot be matched.
    matching?.endTrial(trial, undefined)
    if (error instanceof Interrupted) return
    // A fault of the harness stops all trials; `work` throws it at the end.
    stop.abort(error)
    faults.push(error)
  }
  // Lets signals and timers run: simulated trials never wait for I/O.
  await setImmediate()
}

/** Returns a trial's steps from earlier sessions, and reports its lost calls. */
function resumeTrial({ recorded, options }: Working, { id }: Trial): PastTrial | undefined {
  const earlier = recorded(id)
  if (!earlier || earlier.lost.length === 0) return earlier
  options.onEvent({ type: 'lost', trial: id, calls: earlier.lost.length })
  return earlier
}

function recordTrial(working: Working, place: number, finished: FinishedTrial): void {
  const { session, options, journal, order, end, matching } = working
  const { record, divergences, begunAnew, paid } = finished
  // Artifacts are saved before the record, which marks the trial as ended.
  options.onFinished?.(finished)
  journal.record(record)
  order.push(place)
  // Records are synced together at the end: one that a power loss takes is made again from its steps, at no cost.
  if (paid) journal.flushRecords()
  options.onRecord?.(record)
  end.settled ||= options.isSettled?.() ?? false
  matching?.endTrial(session.plan.at(place), record)
  end.done++
  end.divergences += divergences.length
  for (const message of divergences) options.onEvent({ type: 'divergence', message })
  for (const message of begunAnew) options.onEvent({ type: 'warning', message })
  options.onEvent({ type: 'trial', record, done: end.done, trials: end.trials })
  end.repeatedFailure ??= working.unheldLimit() ?? working.failureWatch?.(finished)
}

function endWork({ session, run, order, end, noteEnd, unheldLimit }: Working): WorkEnd {
  end.repeatedFailure ??= unheldLimit()
  end.isLimitUnheld = unheldLimit() !== undefined
  end.interrupted = end.done < end.trials && !end.settled
  end.paused = end.interrupted && run.people?.isPaused() === true
  if (!end.interrupted) {
    end.repeatedFailure = undefined
    // It came too late.
    clearPause(session.folder)
    // Equal runs must give equal files, whichever trial ended first.
    sortRecords(session.folder, order)
  }
  end.limits = run.runBudget?.limitUses() ?? []
  end.verdicts = session.verdicts?.counts()
  noteEnd(end)
  return end
}
