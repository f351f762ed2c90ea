import { setTimeout as sleep } from 'node:timers/promises'
import { noBudgets } from '../../loop/budget/run-budget.ts'
import { begunBlocks, endBlocks, joinedBlocks, readyBlocks } from '../../loop/join/blocks.ts'
import { readSession, writeSession } from '../../loop/join/shared-session.ts'
import { createPlaces } from '../../loop/plan/block-order.ts'
import { isInBlocks } from '../../loop/record/in-blocks.ts'
import { clearPause } from '../../loop/record/people.ts'
import { recordedTrials, sortRecords } from '../../loop/record/records.ts'
import { holdRunFolder } from '../../loop/record/sessions.ts'
import type { WorkEnd } from '../../loop/work/work.ts'
import { type Database, openDatabase } from '../../queue/database.ts'
import { testShare } from '../../queue/share.ts'
import { UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { RunOptions } from '../config/run-options.ts'
import type { OpenedRun, SessionOptions } from '../session/session-options.ts'
import { requireQueueOptions } from './queue-options.ts'
import { createPeopleRelay } from './relay-people.ts'
import {
  announceRun,
  openRunQueues,
  type RunQueue,
  removeRun,
  shortestLeaseMs,
  workCommand,
} from './run-queues.ts'
import { type Coordination, createIdleWatch, lastEndOf, look, requireSound } from './watch-blocks.ts'

/** A coordinator whose database and shared folder can be used, before there is a run. */
export interface Coordinator {
  /** Has workers do a run, and joins their blocks. An abort leaves the workers at it. */
  letWork(opened: OpenedRun, options: SessionOptions): Promise<WorkEnd>
  close(): Promise<void>
}

/** Checks the options of a run that workers do, its database and its shared folder. Throws `UserError`. */
export async function openCoordinator(asked: RunOptions): Promise<Coordinator> {
  requireQueueOptions(asked)
  if (asked.share !== undefined) await testShare(asked.share)
  const database = await openDatabase(asked.queue ?? '')
  return { letWork: (opened, options) => coordinate(database, opened, options), close: database.close }
}

async function coordinate(
  database: Database,
  { session, manifest }: OpenedRun,
  options: SessionOptions,
): Promise<WorkEnd> {
  const { folder } = session
  if (!manifest.queue)
    throw new UserError({
      where: folder,
      what: 'was not begun with --queue, so workers cannot do it',
      fix: `Go on with it here: bench run --resume ${shellWord(folder)}`,
    })
  const startedAt = performance.now()
  const stop = new AbortController()
  const lock = holdRunFolder(folder, (error) => stop.abort(error))
  const queues: RunQueue[] = []
  try {
    // Its blocks were joined and are gone.
    if (!isInBlocks(folder) && [...recordedTrials(folder)].length === session.plan.length) {
      endBlocks(folder)
      return startedEnd({ session, manifest, options })
    }
    queues.push(...(await openRunQueues(database, manifest, session.tasks, shortestLeaseMs)))
    const run = await begin(database, { session, manifest, queues, options }, lock.killedMs)
    const signal = AbortSignal.any([options.signal, stop.signal])
    while (!signal.aborted) {
      const next = await look(run)
      if (next === 'over') break
      await sleep(next, undefined, { signal }).catch(() => {})
    }
    lock.assertHeld()
    if (signal.aborted) options.onWarning('the workers go on with the run')
    const end = await finish(database, run, performance.now() - startedAt)
    if (end.interrupted && !signal.aborted) requireSound(run)
    return end
  } finally {
    await Promise.all(queues.map(({ queue }) => queue.close()))
    lock.release()
  }
}

/** Tells that a run begins or goes on, and returns how it would end now. */
function startedEnd({
  session: { folder, plan },
  manifest,
  options,
}: Pick<Coordination, 'session' | 'manifest' | 'options'>): WorkEnd {
  const done = [...recordedTrials(folder)].length
  options.onEvent({
    ...{ type: 'start', folder, trials: plan.length, done, parallel: 0 },
    ...(manifest.mode === 'dev' && manifest.simulated && { simulatedUsd: true as const }),
    ...(manifest.recorded && { recordedUsd: true as const }),
  })
  return {
    ...{ trials: plan.length, done, interrupted: false, settled: false, repeatedFailure: undefined },
    ...{ isLimitUnheld: false, waiting: [], paused: false, divergences: 0, limits: [] },
  }
}

async function begin(
  database: Database,
  opened: Pick<Coordination, 'session' | 'manifest' | 'queues' | 'options'>,
  killedMs = 0,
): Promise<Coordination> {
  const { session, manifest, queues, options } = opened
  const { folder, plan, keepWorkspaces, allowUnpriced, budgets = noBudgets } = session
  readyBlocks(folder)
  const before = readSession(folder)
  const pastMs = (before?.pastMs ?? 0) + killedMs
  const { policy: approve } = session.approvals
  const keepGoing = options.given.options.keepGoing ?? before?.keepGoing ?? false
  const settled = { budgets, pastMs, approve, keepGoing, allowUnpriced, keepWorkspaces }
  clearPause(folder)
  const joined = joinedBlocks(folder)
  await announceRun(database, { session, manifest, queues, settled })
  for (const { queue, blocks } of queues) {
    await queue.pause(false)
    await queue.put(blocks.filter((block) => !joined.has(block)))
  }
  const end = startedEnd(opened)
  const command = workCommand(database, folder)
  if (end.done < end.trials) options.onWarning(`workers do the trials: ${command}`)
  return {
    ...opened,
    ...{ joined, told: new Map(), damaged: new Map(), puts: new Map(), placeOf: createPlaces(manifest) },
    watchIdle: createIdleWatch(() => options.onWarning(`no worker is at work: ${command}`)),
    relay: createPeopleRelay(folder, plan, plan.length / manifest.tasks.length),
    end,
  }
}

/** Returns the uses of limits with which a block stopped, if a limit stopped it. */
function stoppedBy(run: string, block: number): WorkEnd['limits'] {
  const end = lastEndOf(run, block)
  return end?.reason === 'limit' ? end.limits : []
}

async function finish(database: Database, run: Coordination, lastedMs: number): Promise<WorkEnd> {
  const { session, manifest, joined, placeOf, relay, end } = run
  const { folder } = session
  end.interrupted = joined.size < manifest.tasks.length
  if (end.interrupted) {
    const begun = begunBlocks(folder)
    end.waiting = relay.waiting(begun.filter((block) => !run.damaged.has(block)))
    end.limits = begun.map((block) => stoppedBy(folder, block)).findLast((uses) => uses.length > 0) ?? []
    const settled = readSession(folder)
    if (settled) writeSession(folder, { ...settled, pastMs: settled.pastMs + lastedMs })
    return end
  }
  end.paused = false
  // Blocks end in any order, and equal runs must give equal files.
  sortRecords(
    folder,
    Array.from(recordedTrials(folder), ({ slot }) => placeOf(slot)?.place ?? 0),
  )
  clearPause(folder)
  await removeRun(
    database,
    manifest.id,
    run.queues.map(({ queue }) => queue.name),
  )
  endBlocks(folder)
  return end
}
