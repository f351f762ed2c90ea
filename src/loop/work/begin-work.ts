import { cpus } from 'node:os'
import { type Problem, UserError } from '../../text/errors.ts'
import { Interrupted } from '../branch/recorded-steps.ts'
import type { RunEvent, Session } from '../branch/run-session.ts'
import type { RunState, TrialState } from '../branch/trial-state.ts'
import { createRateLimiter } from '../budget/rate-limiter.ts'
import { noBudgets } from '../budget/run-budget.ts'
import { type Journal, openJournal } from '../journal/journal.ts'
import { indexJournal, type PastTrial } from '../journal/ledger-index.ts'
import type { Plan } from '../plan/plan.ts'
import type { FolderLock } from '../record/lock.ts'
import { clearPause, openPeople } from '../record/people.ts'
import { readPeople } from '../record/people-file.ts'
import { beginSession, type SessionEnd } from '../record/sessions.ts'
import { assertRecordsMatch, findLostLines } from '../record/verify-ledger.ts'
import { readRecordedEvents } from '../record/workflow-events.ts'
import { type Keeper, openKeeper } from './keeper.ts'
import {
  describeRetries,
  findRecordedPlaces,
  hasJournalEntries,
  listTrialIds,
  type RetriedTrials,
  type Retry,
  retryErrors,
} from './resume.ts'
import { cutHangingCalls, openSessionBudget } from './session-budget.ts'
import { endStalledTrials } from './stalled-trials.ts'

/** How a session of work begins. */
export interface BeginOptions {
  /** Number of trials that run in parallel. */
  parallel: number
  signal: AbortSignal
  onEvent(event: RunEvent): void
  /** Runs trials that ended in error again. */
  retryErrors?: boolean
  /** Called before trials are run again. */
  onRetry?: (retry: Retry) => void
}

/** The lock and signals of a session, and what to close at its end, last first. */
interface SessionResources {
  lock: FolderLock
  stop: AbortController
  signal: AbortSignal
  closing: (() => void)[]
}

interface EarlierSessions {
  /** Places in the plan of the recorded trials, in the order of records.jsonl. */
  order: number[]
  isDone(place: number): boolean
  /** Steps of an unfinished trial; undefined when it was not begun. */
  recorded(trial: string): PastTrial | undefined
  /** Trace events already written, as `trial key`. */
  recordedEvents: Set<string>
}

/** A session of work that has begun. */
export interface BegunWork extends Omit<EarlierSessions, 'recordedEvents'> {
  plan: Plan
  run: RunState
  journal: Journal
  /** Undefined: no workspace is kept. */
  keeper: Keeper | undefined
  /** Why a limit of the run cannot hold; undefined as long as all can. */
  unheldLimit(): string | undefined
  noteEnd(end: SessionEnd): void
}

/** Notes the session, voids trials that are run again, opens the journal, and indexes its entries. */
export async function beginWork(
  session: Session,
  options: BeginOptions,
  { lock, stop, signal, closing }: SessionResources,
): Promise<BegunWork> {
  const { folder, mode, budgets = noBudgets, keepWorkspaces } = session
  const warn = (message: string) => options.onEvent({ type: 'warning', message })
  const started = performance.now()
  // This must run before anything is appended.
  const lost = findLostLines(folder)
  await readPeople(folder)
  clearPause(folder)
  const noted = beginSession(folder, {
    ...{ parallel: options.parallel, budgets, approve: session.approvals.policy },
    ...(session.shard && { shard: session.shard }),
    ...(keepWorkspaces && { keepWorkspaces }),
    ...(session.allowUnpriced && { allowUnpriced: true as const }),
    ...(mode === 'live' && { machine: machineName() }),
    ...(session.sandboxed && { sandbox: session.sandboxed }),
    ...(session.verdicts && { verdicts: { file: session.verdicts.file, digest: session.verdicts.digest } }),
  })
  const again = options.retryErrors ? await retryErrors(folder, options.onRetry) : undefined
  for (const message of again ? describeRetries(again, lost) : []) warn(message)
  const journal = openJournal(folder, {
    checksums: mode === 'live',
    onStorageError: (error) => stop.abort(error),
    assertWritable: lock.assertHeld,
  })
  closing.push(() => journal.close())
  // Only now is it certain which trials have a record.
  const plan = session.replan?.() ?? session.plan
  const { recordedEvents, ...earlier } = readEarlier({ ...session, plan }, journal, { again, lost }, closing)
  const { budgetShare } = session
  const now = budgetShare?.elapsedMs ?? (() => noted.pastMs + performance.now() - started)
  let unheld: string | undefined
  const runBudget = openSessionBudget(
    { ...session, plan, budgets },
    journal,
    now,
    options.onEvent,
    (reason) => {
      unheld = reason
    },
    { assertHeld: lock.assertHeld, onFailure: (error) => stop.abort(error) },
  )
  await runBudget?.settle()
  const running: TrialState[] = []
  closing.push(
    endStalledTrials(running, signal),
    cutHangingCalls(budgets.run.timeMs, now, runBudget, () => stop.abort(new Interrupted())),
  )
  return {
    ...earlier,
    unheldLimit: () => unheld,
    plan,
    journal,
    keeper: openKeeper({
      ...{ folder, keep: keepWorkspaces ?? 'none', signal, assertWritable: lock.assertHeld, warn },
    }),
    run: {
      ...session,
      ...{ journal, blobs: journal.blobs, signal, running },
      event(trial, key, event) {
        const isRecorded = recordedEvents.size > 0 && recordedEvents.delete(`${trial} ${key}`)
        if (!isRecorded) journal.event(trial, key, event)
      },
      people: openPeople(folder, { assertWritable: lock.assertHeld, onError: (error) => stop.abort(error) }),
      runBudget,
      rateLimiter: createRateLimiter(warn),
      warn,
    },
    noteEnd: (end) => noted.end(performance.now() - started, end, options.signal.aborted),
  }
}

/** Throws `UserError` when a record does not match its steps, and when steps are lost and not run again. */
function readEarlier(
  { folder, plan, replan }: Session,
  { blobs }: Journal,
  { again, lost }: { again: RetriedTrials | undefined; lost: Problem | undefined },
  closing: SessionResources['closing'],
): EarlierSessions {
  const { order, isDone, check } = findRecordedPlaces(folder, plan)
  if (!hasJournalEntries(folder))
    return { order, isDone, recorded: () => undefined, recordedEvents: new Set() }
  const { planned, wanted } = listTrialIds(plan, isDone)
  const index = indexJournal(
    folder,
    blobs,
    (id) => wanted.has(id),
    // Trials of an earlier plan may have void steps.
    (id) => planned.has(id) || replan !== undefined,
    check,
  )
  closing.push(index.close)
  assertRecordsMatch(folder, check.problems())
  if (lost && !again) throw new UserError(lost)
  const recordedEvents = readRecordedEvents(folder, (trial) => wanted.has(trial))
  return { order, isDone, recorded: index.readTrial, recordedEvents }
}

/** Returns the machine's processors, `8 x AMD EPYC 7B13`: the times of a live run depend on them. */
function machineName(): string {
  const all = cpus()
  const kinds = [...new Set(all.map(({ model }) => model.trim()))]
  return `${all.length} x ${kinds.join(', ') || 'processor'}`
}
