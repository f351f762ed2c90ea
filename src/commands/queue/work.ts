import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { blockFolder } from '../../loop/join/blocks.ts'
import { lockPath } from '../../loop/record/lock.ts'
import type { WorkEnd } from '../../loop/work/work.ts'
import type { Lease } from '../../queue/block-queue.ts'
import { type Database, openDatabase } from '../../queue/database.ts'
import { assertShared, testShare } from '../../queue/share.ts'
import { counted } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { asError, type Problem, StorageError, UserError } from '../../text/errors.ts'
import { type RunOptions, readWhole } from '../config/run-options.ts'
import { guardProcess } from '../terminal/guard-process.ts'
import { createProgress } from '../terminal/progress.ts'
import { say } from '../terminal/say.ts'
import { parseDecimal } from '../values/parse-values.ts'
import { folderProblems, urlProblems } from './queue-options.ts'
import { announcedRuns, type RunQueue } from './run-queues.ts'
import { openWorkerRun, type WorkerOptions, type WorkerRun } from './worker-run.ts'

interface WorkOptions
  extends Pick<
    RunOptions,
    'queue' | 'share' | 'parallel' | 'sandbox' | 'allowUnsandboxed' | 'trustCode' | 'quiet'
  > {
  keep?: boolean
  lease?: string
}

/**
 * `bench work --queue URL --share DIR`: plays blocks of the runs in a queue until none is left, or for ever with `--keep`. Exit code 1 if it stopped
 * since no ask is answered, or by a fault of its disk; 130 if interrupted, when its block is given back.
 */
export default async function workOnQueue(options: WorkOptions): Promise<number> {
  const { url, ...parsed } = parse(options)
  await testShare(parsed.share)
  const database = await openDatabase(url, startMs)
  const progress = createProgress(process.stderr, true)
  const abort = new AbortController()
  const guard = guardProcess(abort, progress)
  const onWarning = (message: string) => progress.onEvent({ type: 'warning', message })
  const worker = { ...parsed, signal: abort.signal, onWarning }
  const tell = options.quiet ? () => {} : (text: string) => say(safeLine(text))
  const runs = new Map<string, WorkerRun>()
  try {
    const code = await takeBlocks(database, runs, worker, { ...progress, tell, keep: options.keep === true })
    return guard.broken ? 1 : code
  } finally {
    progress.end()
    await Promise.all([...runs.values()].map((run) => run.close()))
    await database.close()
    guard.end()
  }
}

function parse(options: WorkOptions): Omit<WorkerOptions, 'signal' | 'onWarning'> & { url: string } {
  const { queue: url, share } = options
  const problems: Problem[] = []
  const missing = (where: string, fix: string) => problems.push({ where, what: 'is missing', fix })
  if (url === undefined) missing('--queue', 'Write --queue postgres://USER@HOST/DATABASE, as bench run did.')
  else problems.push(...urlProblems(url))
  if (share === undefined) missing('--share', 'Write --share DIR, the folder of bench run --queue.')
  else problems.push(...folderProblems(share))
  const parallel = readWhole(problems, options, 'parallel', availableParallelism())
  const seconds = options.lease === undefined ? 30 : parseDecimal(options.lease)
  if (!(seconds >= 2 && seconds <= 3600))
    problems.push({
      where: `--lease ${options.lease}`,
      what: 'is not a number of seconds from 2 to 3600',
      fix: 'Write for example --lease 30.',
    })
  if (problems.length > 0 || url === undefined || share === undefined) throw new UserError(problems)
  return { url, share: resolve(share), parallel, leaseMs: seconds * 1000, asked: options }
}

interface Output extends ReturnType<typeof createProgress> {
  tell(text: string): void
  keep: boolean
}

/** A worker that is started by a machine may come while the database is started again; ms. */
const startMs = 5000

/** Time between two looks for a block where there was none; ms. */
const lookMs = 500

async function takeBlocks(
  database: Database,
  runs: Map<string, WorkerRun>,
  worker: WorkerOptions,
  output: Output,
): Promise<number> {
  let played = 0
  while (!worker.signal.aborted) {
    const open = await openAnnounced(database, runs, worker, output)
    const found = await takeFirst(open)
    if (!found) {
      if (!output.keep && !(await isAnyLeft(open))) {
        output.tell(`no block is left; played ${counted(played, 'block')}`)
        return 0
      }
      await sleep(lookMs, undefined, { signal: worker.signal }).catch(() => {})
      continue
    }
    const code = await playLease(found, worker, output)
    if (code !== undefined) return code
    played++
  }
  return 130
}

/**
 * Opens the runs that are new, and closes those that are over. Those of another shared folder are for its workers. Throws `UserError` if
 * there are no others.
 */
async function openAnnounced(
  database: Database,
  runs: Map<string, WorkerRun>,
  worker: WorkerOptions,
  { tell }: Output,
): Promise<WorkerRun[]> {
  const announced = await announcedRuns(database)
  for (const [id, run] of runs) {
    if (announced.some((one) => one.run === id)) continue
    runs.delete(id)
    await run.close()
  }
  const elsewhere: unknown[] = []
  for (const one of announced) {
    if (runs.has(one.run)) continue
    try {
      assertShared(worker.share, one.folder, one.mark)
    } catch (error) {
      elsewhere.push(error)
      continue
    }
    const run = await openWorkerRun(database, one, worker)
    runs.set(one.run, run)
    const missing =
      run.missing.length > 0 ? `; blocks that need ${run.missing.join(', ')} are left to others` : ''
    tell(`run ${run.folder}: ${counted(run.manifest.tasks.length, 'block')}${missing}`)
  }
  if (runs.size === 0 && elsewhere.length > 0) throw elsewhere[0]
  return announced.flatMap(({ run }) => runs.get(run) ?? [])
}

interface TakenBlock extends RunQueue {
  run: WorkerRun
  lease: Lease
}

async function takeFirst(runs: readonly WorkerRun[]): Promise<TakenBlock | undefined> {
  for (const run of runs)
    for (const own of run.queues) {
      const lease = await own.queue.take()
      if (lease) return { ...own, run, lease }
    }
  return undefined
}

/** Blocks that others have may come back. */
async function isAnyLeft(runs: readonly WorkerRun[]): Promise<boolean> {
  for (const { queues } of runs)
    for (const { queue } of queues) {
      const { waiting, taken } = await queue.left()
      if (waiting > 0 || taken.length > 0) return true
    }
  return false
}

/** Plays a block under its lease. Returns the exit code if the worker has to end; else undefined. */
async function playLease(
  { run, queue, lease }: TakenBlock,
  { signal, leaseMs }: WorkerOptions,
  { onEvent, tell }: Output,
): Promise<number | undefined> {
  const name = `block ${lease.block} of ${run.manifest.tasks.length} of ${run.folder}`
  const lost = new AbortController()
  const keepHolding = async () => {
    while (!lost.signal.aborted) {
      await sleep(leaseMs / 3, undefined, { signal: lost.signal }).catch(() => {})
      if (!lost.signal.aborted && !(await queue.extend(lease))) lost.abort(new LeaseLost())
    }
  }
  const held = keepHolding().catch((error) => lost.abort(error))
  try {
    const end = await run.play(lease.block, { signal: AbortSignal.any([signal, lost.signal]), onEvent })
    if (lost.signal.aborted) throw lost.signal.reason
    const why = reasonToEnd(end)
    await queue.done(lease, signal.aborted || why !== undefined ? 'back' : 'over')
    tell(`${name}: ${why ?? endText(end, signal.aborted)}`)
    return why === undefined ? undefined : 1
  } catch (error) {
    if (error instanceof LeaseLost) {
      tell(`${name}: its lease ended, so another worker goes on with it`)
      return undefined
    }
    // Somebody else still holds the folder, or has taken it: the queue gives it to whoever can.
    await queue.done(lease, signal.aborted ? 'back' : 'later')
    if (!isLockFault(error, blockFolder(run.folder, lease.block))) throw error
    tell(`${name}: ${asError(error).message}`)
    return undefined
  } finally {
    lost.abort()
    await held
  }
}

class LeaseLost extends Error {}

/** Whether somebody else holds the folder of a block, so that this worker can go on with another. */
function isLockFault(error: unknown, folder: string): boolean {
  const at =
    error instanceof UserError ? error.problems : error instanceof StorageError ? [error.problem] : []
  return at.some(({ where }) => where === folder || where === lockPath(folder))
}

/** Returns why no block can be played here: whatever it is, another one would meet it, too. */
const reasonToEnd = (end: WorkEnd | undefined): string | undefined =>
  end?.interrupted === true && end.repeatedFailure !== undefined
    ? `given back, and this worker ends: ${end.repeatedFailure}`
    : undefined

function endText(end: WorkEnd | undefined, isAborted: boolean): string {
  if (!end) return 'was over already'
  const { done, trials, interrupted, waiting, paused, limits } = end
  const count = `${done} of ${counted(trials, 'trial')}`
  if (!interrupted) return counted(trials, 'trial')
  if (isAborted) return `given back after ${count}`
  const why = limits.some(({ stopped }) => stopped)
    ? 'stopped by a limit'
    : paused
      ? 'paused'
      : waiting.length > 0
        ? `${counted(waiting.length, 'trial')} waiting for a person`
        : 'interrupted'
  return `${why} after ${count}`
}
