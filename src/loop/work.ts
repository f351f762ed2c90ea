import { setMaxListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { StorageError, UserError } from '../errors.ts'
import type { LimitUse } from '../schema/limits.ts'
import type { TrialRecord } from '../schema/record.ts'
import type { Task } from '../schema/task.ts'
import type { Trial } from '../schema/trial.ts'
import type { Strategy } from '../strategy.ts'
import { noBudgets } from './admission.ts'
import { admissionOf } from './admission-of.ts'
import { lostLines, refuseBroken } from './check-ledger.ts'
import { Interrupted, type TrialDoor } from './door.ts'
import { idsOf, isBegun, recorded } from './earlier.ts'
import type { RunEvent } from './events.ts'
import { openGate } from './gate.ts'
import { type FinishedTrial, gradeTrial } from './grade-trial.ts'
import { endIdleTrials } from './idle.ts'
import { inOrder } from './in-order.ts'
import { createVainWatch } from './in-vain.ts'
import { type Journal, openJournal } from './journal.ts'
import { indexJournal, type JournalIndex } from './journal-index.ts'
import { knownEvents } from './known-events.ts'
import { machineName } from './machine.ts'
import { createMatching } from './matching.ts'
import { preparer } from './prepare.ts'
import { readRecords, sortRecords } from './records.ts'
import { doorOf, type Session } from './session.ts'
import { beginSession, holdRunFolder } from './sessions.ts'
import { takeBackErrors, takenBackNotes } from './take-back-errors.ts'
import { cutHangingCalls } from './time-limit.ts'
import { playTrial } from './trial.ts'

export interface WorkOptions {
  /** Trials at once. */
  parallel: number
  signal: AbortSignal
  onEvent(event: RunEvent): void
  /** Runs the trials again that ended in error. */
  retryErrors?: boolean
  /** Goes on with a live run whose trials fail alike. */
  keepGoing?: boolean
  /** Called when a trial has ended, in the order of ending. */
  onFinished?(finished: FinishedTrial): void
  /** Called with each record in the order of records.jsonl as it is appended. */
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
  /** records.jsonl was begun in this session, and its records were appended in plan order. */
  inOrder: boolean
  divergences: number
  /** Calls of an earlier session that may have been paid though their result was never seen. */
  maybePaid: number
  /** The limits of the run and of its methods, and how much of them is used. */
  limits: LimitUse[]
}

/**
 * Runs what the plan holds and the run folder has no record of, at most `parallel` trials at once, and answers from
 * the journal what an earlier session had done of them. Aborting ends it cleanly: what is recorded stays, the rest
 * is for the next session.
 */
export async function work(session: Session, options: WorkOptions): Promise<WorkEnd> {
  const { folder, plan, budgets = noBudgets } = session
  // A fault of ours in one trial must stop the others, and then be told.
  const stop = new AbortController()
  const lock = holdRunFolder(folder, (error) => stop.abort(error))
  const started = performance.now()
  const { signal } = stop
  // Forwarded by hand: a signal of signals is dear to ask, and every step of every trial asks it.
  const forward = () => stop.abort(options.signal.reason)
  if (options.signal.aborted) forward()
  options.signal.addEventListener('abort', forward)
  // Every call and child process listens while it lasts, and there may be many at once.
  setMaxListeners(0, signal)
  let journal: Journal | undefined
  let index: JournalIndex | undefined
  const running: TrialDoor[] = []
  const ending = [endIdleTrials(running, signal)]
  try {
    // Before anything is added to it.
    const lost = lostLines(folder)
    const noted = beginSession(folder, {
      ...{ parallel: options.parallel, budgets },
      ...(session.mode === 'live' && { machine: machineName() }),
    })
    const again = options.retryErrors ? await takeBackErrors(folder) : undefined
    for (const message of again ? takenBackNotes(again, lost) : [])
      options.onEvent({ type: 'warning', message })
    const written = openJournal(folder, {
      sealed: session.mode === 'live',
      onBroken: (error) => stop.abort(error),
      mayWrite: lock.assertHeld,
    })
    journal = written
    const { order, isDone, check } = recorded(folder, plan)
    const begun = order.length
    let known = new Set<string>()
    if (isBegun(folder)) {
      const { planned, wanted } = idsOf(plan, isDone)
      index = indexJournal(
        folder,
        written.blobs,
        (id) => wanted.has(id),
        (id) => planned.has(id),
        check,
      )
      refuseBroken(folder, check.broken())
      if (lost && !options.retryErrors) throw new UserError(lost)
      known = knownEvents(folder, (trial) => wanted.has(trial) && !again?.trials.has(trial))
    }
    const now = () => noted.pastMs + performance.now() - started
    const admission = admissionOf({ ...session, budgets }, written, now, options.onEvent)
    ending.push(cutHangingCalls(budgets.run.timeMs, now, admission, () => stop.abort(new Interrupted())))
    const warn = (message: string) => options.onEvent({ type: 'warning', message })
    const gate = openGate(warn)
    const run = { ...doorOf(session, written, signal, known, running), admission, gate, warn }
    const end: WorkEnd = {
      trials: plan.length,
      done: begun,
      interrupted: false,
      settled: false,
      inVain: undefined,
      inOrder: begun === 0,
      divergences: 0,
      maybePaid: 0,
      limits: [],
    }
    const { planned = '' } = session
    options.onEvent({
      ...{ type: 'start', folder, trials: plan.length, done: begun, parallel: options.parallel },
      ...(planned !== '' && { planned }),
    })

    const prepare = preparer(session, signal, options.onEvent)
    end.settled = options.isSettled?.() ?? false
    let latest = order.at(-1) ?? -1
    const records = inOrder<Pick<FinishedTrial, 'record' | 'mark'>>(
      heldBack,
      isDone,
      (place, { record, mark }) => {
        if (place < latest) end.inOrder = false
        latest = place
        order.push(place)
        written.record(record, mark)
        options.onRecord?.(record)
        end.settled ||= options.isSettled?.() ?? false
      },
    )
    const earlier = ({ id }: Trial) => {
      const before = index?.recorded(id)
      if (!before) return undefined
      if (before.lost.length > 0) {
        end.maybePaid += before.lost.length
        options.onEvent({ type: 'lost', trial: id, calls: before.lost.length })
      }
      return before
    }
    const hasEnded = (place: number, finished: FinishedTrial) => {
      // What a trial made is saved before its record says that it has ended.
      options.onFinished?.(finished)
      records.put(place, { record: finished.record, mark: finished.mark }, finished.paid)
      matching?.settle(plan.at(place), finished.record)
      // Synced with all others at the end: what the power takes of it is made again from its steps, which are paid no more.
      if (finished.paid) written.flushRecords()
      end.done++
      end.divergences += finished.divergences.length
      for (const message of finished.divergences) options.onEvent({ type: 'divergence', message })
      const { record, endedAt: at } = finished
      options.onEvent({ type: 'trial', record, done: end.done, trials: plan.length, at })
      end.inVain ??= failing?.(finished)
    }

    const earlierRecords = () => (begun > 0 ? readRecords(folder) : [])
    const matching = createMatching(plan, earlierRecords)
    const failing =
      session.mode === 'live' && !options.keepGoing ? createVainWatch(earlierRecords()) : undefined
    let next = 0
    const worker = async () => {
      for (;;) {
        // Time to hear of a Ctrl-C, where no trial waits for anything outside.
        await setImmediate()
        if (signal.aborted || end.settled || end.inVain !== undefined) return
        const place = next++
        if (place >= plan.length) return
        if (isDone(place)) continue
        const trial = plan.at(place)
        try {
          const { task: ref, method } = trial.cell
          if (admission && !admission.isOpen(method.label)) throw new Interrupted()
          const task = session.tasks.get(ref) as Task
          const strategy = session.strategies.get(method.strategy) as Strategy
          const preparing = prepare(task)
          if (preparing) await preparing
          const before = earlier(trial)
          const budget = matching ? await matching.budget(trial) : undefined
          if (method.match && !budget) throw new Interrupted()
          hasEnded(place, await gradeTrial(await playTrial(run, trial, task, strategy, before, budget)))
        } catch (error) {
          // Whatever its end, it has no record that others could go by.
          matching?.settle(trial, undefined)
          if (error instanceof Interrupted) continue
          stop.abort(error)
          throw error
        }
      }
    }
    const results = await Promise.allSettled(
      Array.from({ length: Math.min(options.parallel, plan.length) }, worker),
    )
    // A trial that was given up may have left a call behind.
    await admission?.idle()
    records.flush()
    const broken = results.find((result) => result.status === 'rejected')
    if (broken) throw broken.reason
    // The trials themselves were merely interrupted by it.
    if (signal.reason instanceof StorageError) throw signal.reason
    end.interrupted = end.done < plan.length && !end.settled
    if (!end.interrupted) end.inVain = undefined
    await written.settle()
    lock.assertHeld()
    if (!end.interrupted && !end.inOrder) sortRecords(folder, order)
    end.limits = admission?.uses() ?? []
    noted.end(performance.now() - started, end, options.signal.aborted)
    return end
  } finally {
    options.signal.removeEventListener('abort', forward)
    for (const end of ending) end()
    index?.close()
    try {
      journal?.close()
    } finally {
      lock.release()
    }
  }
}

/** Free records that may wait for an earlier one; after a crash they are made again from their steps. */
const heldBack = 256
