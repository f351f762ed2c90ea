import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '../../queue/database.ts'
import { assertShared, hasMark, testShare } from '../../queue/share.ts'
import { counted } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { asError, type Problem, UserError } from '../../text/errors.ts'
import { type RunOptions, readWhole } from '../config/run-options.ts'
import { guardProcess } from '../terminal/guard-process.ts'
import { createProgress } from '../terminal/progress.ts'
import { say } from '../terminal/say.ts'
import { parseDecimal } from '../values/parse-values.ts'
import { lookAtRest, restLines } from './left-blocks.ts'
import { playLease, type TakenBlock } from './play-lease.ts'
import { urlProblems } from './queue-options.ts'
import { announcedRuns } from './run-queues.ts'
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
 * since no ask is answered, by a fault of its disk, without the folder of a run, or with a damaged block left; 130 if interrupted, when its block
 * is given back.
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
  const known: Known = {
    runs: new Map(),
    left: new Set(),
    damaged: new Set(),
    hasOpened: false,
    hasLost: false,
  }
  try {
    const code = await takeBlocks(database, known, worker, { ...progress, tell, keep: options.keep === true })
    return guard.broken ? 1 : code
  } finally {
    progress.end()
    await Promise.all([...known.runs.values()].map((run) => run.close()))
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

/** What a worker knows of the runs of its queue. */
interface Known {
  /** The runs that it does, by id. */
  runs: Map<string, WorkerRun>
  /** The ids of those that it has said it leaves. */
  left: Set<string>
  /** What it has said of damaged blocks. */
  damaged: Set<string>
  hasOpened: boolean
  /** Whether the folder of a run was moved or removed under it. */
  hasLost: boolean
}

/** One that stays does not end while nothing is left. */
const keepsOn = { isLeft: true, damaged: [] }

async function takeBlocks(
  database: Database,
  known: Known,
  worker: WorkerOptions,
  output: Output,
): Promise<number> {
  let played = 0
  let isWaiting = false
  const tellDamage = (text: string) => {
    if (!known.damaged.has(text)) output.tell(text)
    known.damaged.add(text)
  }
  const firstUntil = performance.now() + worker.leaseMs
  while (!worker.signal.aborted) {
    const open = await openAnnounced(database, known, worker, output)
    const found = await takeFirst(open)
    if (found) {
      const { code, isPlayed, damage } = await playLease(found, worker, output)
      if (code !== undefined) return code
      if (damage !== undefined) tellDamage(damage)
      if (isPlayed) played++
      continue
    }
    const { isLeft, damaged } = output.keep ? keepsOn : await lookAtRest(open)
    if (!isLeft) {
      const hasFailed = known.hasLost || known.damaged.size > 0
      if (played > 0 || hasFailed || performance.now() > firstUntil) {
        damaged.forEach(tellDamage)
        for (const run of open) for (const line of await restLines(run, database.name)) output.tell(line)
        const but = damaged.length > 0 ? ` but ${counted(damaged.length, 'damaged block')}` : ''
        output.tell(`no block is left${but}; played ${counted(played, 'block')}`)
        return known.hasLost || damaged.length > 0 ? 1 : 0
      }
      if (!isWaiting) output.tell(`no block yet; this worker waits ${worker.leaseMs / 1000} s for the first`)
      isWaiting = true
    }
    await sleep(lookMs, undefined, { signal: worker.signal }).catch(() => {})
  }
  return 130
}

/**
 * Opens the runs that are new, and closes those that are over, or whose folder is gone. Those of another shared folder are for its workers. Throws
 * `UserError` if there have been no others.
 */
async function openAnnounced(
  database: Database,
  known: Known,
  worker: WorkerOptions,
  { tell }: Output,
): Promise<WorkerRun[]> {
  const announced = await announcedRuns(database)
  const { runs, left } = known
  for (const [id, run] of runs) {
    const place = announced.find((one) => one.run === id)?.folder
    const isMoved = place !== undefined && join(worker.share, place) !== run.folder
    if (place !== undefined && !isMoved && hasMark(run.folder, run.mark)) continue
    runs.delete(id)
    await run.close()
    if (place === undefined || isMoved) continue
    known.hasLost = true
    left.add(id)
    tell(`run ${run.folder}: its folder was moved or removed, so this worker leaves it`)
  }
  const elsewhere: { run: string; error: Error }[] = []
  for (const one of announced) {
    if (runs.has(one.run)) continue
    try {
      assertShared(worker.share, one.folder, one.mark)
    } catch (error) {
      elsewhere.push({ run: one.run, error: asError(error) })
      continue
    }
    const run = await openWorkerRun(database, one, worker)
    runs.set(one.run, run)
    known.hasOpened = true
    const missing =
      run.missing.length > 0 ? `; blocks that need ${run.missing.join(', ')} are left to others` : ''
    tell(`run ${run.folder}: ${counted(run.manifest.tasks.length, 'block')}${missing}`)
  }
  if (!known.hasOpened && elsewhere[0]) throw elsewhere[0].error
  for (const { run, error } of elsewhere) {
    if (!left.has(run)) tell(`a run is left: ${error.message}`)
    left.add(run)
  }
  return announced.flatMap(({ run }) => runs.get(run) ?? [])
}

async function takeFirst(runs: readonly WorkerRun[]): Promise<TakenBlock | undefined> {
  for (const run of runs)
    for (const own of run.queues) {
      const lease = await own.queue.take()
      if (lease) return { ...own, run, lease }
    }
  return undefined
}
