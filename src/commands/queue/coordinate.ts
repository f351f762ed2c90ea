import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  begunBlocks,
  blockFolder,
  endBlocks,
  isBlockWhole,
  joinBlock,
  joinedBlocks,
  readyBlocks,
} from '../../loop/join/blocks.ts'
import { sizesOf } from '../../loop/journal/lines.ts'
import { runFiles } from '../../loop/journal/run-files.ts'
import { createPlaces } from '../../loop/plan/block-order.ts'
import { clearPause, isPauseRequested, passPause } from '../../loop/record/people.ts'
import { readRecords, recordedTrials, sortRecords } from '../../loop/record/records.ts'
import { holdRunFolder, readSessions } from '../../loop/record/sessions.ts'
import type { WorkEnd } from '../../loop/work/work.ts'
import { type Database, openDatabase } from '../../queue/database.ts'
import { testShare } from '../../queue/share.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { mergeOptions } from '../config/merge-options.ts'
import { checkQueueOptions } from '../config/queue-option.ts'
import type { RunOptions } from '../config/run-options.ts'
import type { OpenedRun, SessionOptions } from '../session/session-options.ts'
import { createPeopleRelay, type PeopleRelay } from './relay-people.ts'
import {
  announceRun,
  openRunQueues,
  type RunQueue,
  removeRun,
  shortestLeaseMs,
  writeSession,
} from './run-queues.ts'

/** A coordinator whose database and shared folder can be used, before there is a run. */
export interface Coordinator {
  /** Has workers do a run, and joins their blocks. An abort leaves the workers at it. */
  letWork(opened: OpenedRun, options: SessionOptions): Promise<WorkEnd>
  close(): Promise<void>
}

/** Checks the options of a run that workers do, its database and its shared folder. Throws `UserError`. */
export async function openCoordinator(asked: RunOptions): Promise<Coordinator> {
  const problems: Problem[] = []
  checkQueueOptions(problems, mergeOptions(asked).options)
  if (problems.length > 0) throw new UserError(problems)
  if (asked.share !== undefined) await testShare(asked.share)
  const database = await openDatabase(asked.queue ?? '')
  return { letWork: (opened, options) => coordinate(database, opened, options), close: database.close }
}

/** Time between two looks at the blocks; a look over a slow file system makes it longer; ms. */
const lookMs = 300

/** A run that workers do, as its coordinator sees it. */
interface Coordination extends OpenedRun {
  database: Database
  queues: readonly RunQueue[]
  options: SessionOptions
  placeOf: ReturnType<typeof createPlaces>
  relay: PeopleRelay
  joined: Set<number>
  /** How many records of a begun block were told, and the size of their file then. */
  told: Map<number, { size: number; records: number }>
  /** How often a block that the queue had lost was put again. */
  puts: Map<number, number>
  end: WorkEnd
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
  const stop = new AbortController()
  const lock = holdRunFolder(folder, (error) => stop.abort(error))
  const queues: RunQueue[] = []
  try {
    queues.push(...(await openRunQueues(database, manifest, session.tasks, shortestLeaseMs)))
    const run = await begin({ session, manifest, database, queues, options })
    const signal = AbortSignal.any([options.signal, stop.signal])
    while (!signal.aborted) {
      const from = performance.now()
      if (await look(run)) break
      await sleep(Math.max(lookMs, 5 * (performance.now() - from)), undefined, { signal }).catch(() => {})
    }
    lock.assertHeld()
    return await finish(run)
  } finally {
    await Promise.all(queues.map(({ queue }) => queue.close()))
    lock.release()
  }
}

async function begin(
  opened: Pick<Coordination, 'session' | 'manifest' | 'database' | 'queues' | 'options'>,
): Promise<Coordination> {
  const { session, manifest, database, queues, options } = opened
  const { folder, plan, keepWorkspaces, allowUnpriced } = session
  readyBlocks(folder)
  const { policy } = session.approvals
  const keepGoing = options.given.options.keepGoing === true
  writeSession(folder, { approve: policy, keepGoing, allowUnpriced, keepWorkspaces })
  clearPause(folder)
  const joined = joinedBlocks(folder)
  await announceRun(database, folder, manifest.id, queues)
  for (const { queue, blocks } of queues) {
    await queue.pause(false)
    await queue.put(blocks.filter((block) => !joined.has(block)))
  }
  const done = [...recordedTrials(folder)].length
  options.onEvent({
    ...{ type: 'start', folder, trials: plan.length, done, parallel: 0 },
    ...(manifest.mode === 'dev' && manifest.simulated && { simulatedUsd: true as const }),
    ...(manifest.recorded && { recordedUsd: true as const }),
  })
  if (done < plan.length)
    options.onWarning(
      `workers do the trials: bench work --queue ${database.name} --share ${shellWord(dirname(resolve(folder)))}`,
    )
  return {
    ...opened,
    ...{ joined, told: new Map(), puts: new Map(), placeOf: createPlaces(manifest) },
    relay: createPeopleRelay(folder, plan, plan.length / manifest.tasks.length),
    end: {
      ...{ trials: plan.length, done, interrupted: false, settled: false, repeatedFailure: undefined },
      ...{ isLimitUnheld: false, waiting: [], paused: false, divergences: 0, limits: [] },
    },
  }
}

/** Looks at the blocks once: tells what is new, joins those that are whole. Returns whether nothing more will come. */
async function look(run: Coordination): Promise<boolean> {
  const { session, queues, joined, relay, end } = run
  const { folder } = session
  const left = await Promise.all(queues.map(({ queue }) => queue.left()))
  const taken = new Set(left.flatMap((one) => one.taken))
  const begun = begunBlocks(folder)
  for (const block of begun) tellRecords(run, block)
  const answered = relay.look(begun)
  for (const block of begun) {
    if (taken.has(block) || !isBlockWhole(blockFolder(folder, block))) continue
    if (!joinBlock(folder, block, run)) continue
    joined.add(block)
    run.told.delete(block)
  }
  if (isPauseRequested(folder)) {
    end.paused = true
    for (const { queue } of queues) await queue.pause(true)
    for (const block of begun) if (taken.has(block)) passPause(blockFolder(folder, block))
    return taken.size === 0
  }
  if (joined.size === run.manifest.tasks.length) return true
  const isLeft = left.some(({ waiting }) => waiting > 0) || taken.size > 0
  return (await putAgain(run, answered, isLeft)) === 0 && !isLeft
}

/** Emits the records that a block has gained. */
function tellRecords({ session, options, told, end }: Coordination, block: number): void {
  const folder = blockFolder(session.folder, block)
  const size = sizesOf(join(folder, runFiles.records)).whole
  const before = told.get(block) ?? { size: 0, records: 0 }
  if (size === before.size) return
  const records = [...readRecords(folder)]
  for (const record of records.slice(before.records)) {
    end.done++
    options.onEvent({ type: 'trial', record, done: end.done, trials: end.trials })
  }
  told.set(block, { size, records: records.length })
}

/** A queue that loses a block this often is broken. */
const mostPuts = 3

/** Puts the blocks that got an answer, and those that neither the queue has nor a session has ended. Returns their number. */
async function putAgain(run: Coordination, answered: readonly number[], isLeft: boolean): Promise<number> {
  const { session, queues, joined, puts } = run
  let count = 0
  for (const { queue, blocks } of queues) {
    const lost = isLeft ? [] : blocks.filter((block) => !joined.has(block) && isLost(session.folder, block))
    const wanted = [...lost, ...blocks.filter((block) => answered.includes(block))]
    const again = wanted.filter((block) => (puts.get(block) ?? 0) < mostPuts)
    for (const block of again) puts.set(block, (puts.get(block) ?? 0) + 1)
    await queue.put(again)
    count += again.length
  }
  return count
}

/** A block whose last session did not settle that it stops. */
function isLost(run: string, block: number): boolean {
  const reason = readSessions(blockFolder(run, block)).at(-1)?.end?.reason
  return reason !== 'limit' && reason !== 'parked' && reason !== 'paused'
}

async function finish(run: Coordination): Promise<WorkEnd> {
  const { session, manifest, database, joined, placeOf, relay, end } = run
  const { folder } = session
  end.interrupted = joined.size < manifest.tasks.length
  if (end.interrupted) {
    end.waiting = relay.waiting(begunBlocks(folder))
    return end
  }
  end.paused = false
  // Blocks end in any order, and equal runs must give equal files.
  sortRecords(
    folder,
    Array.from(recordedTrials(folder), ({ slot }) => placeOf(slot)?.place ?? 0),
  )
  clearPause(folder)
  await removeRun(database, manifest.id)
  endBlocks(folder)
  return end
}
