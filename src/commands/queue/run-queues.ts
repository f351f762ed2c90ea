import { basename, dirname, resolve } from 'node:path'
import { type SharedSession, writeSession } from '../../loop/join/shared-session.ts'
import { orderBlocks } from '../../loop/plan/block-order.ts'
import { type RunSoFar, setLimits } from '../../queue/allowance.ts'
import { type BlockQueue, openBlockQueue } from '../../queue/block-queue.ts'
import { type Database, openDatabase } from '../../queue/database.ts'
import { markShare } from '../../queue/share.ts'
import { counted } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import { UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { urlProblems } from './queue-options.ts'

/** The blocks of a run whose tasks need the same programs, and the queue that gives them out. */
export interface RunQueue {
  queue: BlockQueue
  requires: readonly string[]
  /** Their numbers, from 1 in the order of the plan. */
  blocks: number[]
}

/** Opens the queues of a run, those first whose blocks need most programs: fewer workers can take them. */
export async function openRunQueues(
  database: Database,
  manifest: RunManifest,
  tasks: ReadonlyMap<string, Pick<Task, 'spec'>>,
  leaseMs: number,
): Promise<RunQueue[]> {
  const groups = new Map<string, Omit<RunQueue, 'queue'>>()
  for (const [place, { ref }] of orderBlocks(manifest.tasks, manifest.seed).entries()) {
    const requires = [...new Set(tasks.get(ref)?.spec.requires)].sort()
    const name = [manifest.id, ...requires].join('.').replaceAll(':', '-')
    const group = groups.get(name) ?? { requires, blocks: [] }
    group.blocks.push(place + 1)
    groups.set(name, group)
  }
  const opened = [...groups].map(async ([name, group]) => ({
    ...group,
    queue: await openBlockQueue(database, name, leaseMs),
  }))
  return (await Promise.all(opened)).sort((a, b) => b.requires.length - a.requires.length)
}

interface Announced {
  session: Pick<RunSoFar, 'folder' | 'plan'>
  manifest: RunManifest
  queues: readonly RunQueue[]
  settled: SharedSession
}

/** Tells workers of a run and of its limits. Its folder gets a mark, by which they know that they see the same one. */
export async function announceRun(
  database: Database,
  { session, manifest, queues, settled }: Announced,
): Promise<void> {
  const { folder, plan } = session
  writeSession(folder, settled)
  await database.query(
    `insert into bench_run (run, folder, mark, queues) values ($1, $2, $3, $4)
     on conflict (run) do update set folder = $2, mark = $3, put_at = now()`,
    [manifest.id, basename(folder), markShare(folder), queues.map(({ queue }) => queue.name)],
  )
  const { budgets, pastMs } = settled
  await setLimits(database, manifest.id, { folder, plan, budgets, pastMs, blocks: manifest.tasks.length })
}

/** Returns the command that starts a worker of a run. */
export const workCommand = ({ name }: Pick<Database, 'name'>, folder: string): string =>
  `bench work --queue ${shellWord(name)} --share ${shellWord(dirname(resolve(folder)))}`

/** A run that workers may do. */
export interface AnnouncedRun {
  run: string
  /** Its name in the shared folder. */
  folder: string
  mark: string
  /** The names of its queues. */
  queues: string[]
  putAt: Date
}

/** Returns the runs that are not over, the oldest first. */
export const announcedRuns = (database: Database): Promise<AnnouncedRun[]> =>
  database.query<AnnouncedRun & Record<string, unknown>>(
    'select run, folder, mark, queues, put_at as "putAt" from bench_run order by put_at, run',
  )

/** Removes all that a database holds of a run, whose queues have these names. */
export async function removeRun(database: Database, run: string, queues: readonly string[]): Promise<void> {
  await onEach(database, queues, (queue) => queue.remove())
  await database.query('delete from bench_run where run = $1', [run])
}

async function onEach<Result>(
  database: Database,
  names: readonly string[],
  act: (queue: BlockQueue) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const name of names) {
    const queue = await openBlockQueue(database, name, shortestLeaseMs)
    results.push(await act(queue).finally(queue.close))
  }
  return results
}

/** Whoever takes no block holds no lease. */
export const shortestLeaseMs = 2000

/**
 * `bench runs prune --queue URL --older-than AGE`: removes what a database holds of runs that began longer ago, or went on last, and of whose
 * blocks nobody has one. The folders stay, and `bench run --resume RUN --queue URL` puts the blocks again.
 */
export async function pruneQueue(
  url: string,
  ageMs: number,
  { dryRun = false, yes = false }: { dryRun?: boolean; yes?: boolean },
  isWanted: (runs: number) => Promise<boolean>,
): Promise<number> {
  const problems = urlProblems(url)
  if (problems.length > 0) throw new UserError(problems)
  const database = await openDatabase(url)
  try {
    const old = (await announcedRuns(database)).filter(({ putAt }) => putAt.getTime() < Date.now() - ageMs)
    const idle: AnnouncedRun[] = []
    for (const run of old) {
      const taken = (await onEach(database, run.queues, (queue) => queue.left())).flatMap(
        ({ taken }) => taken,
      )
      const isIdle = taken.length === 0
      if (isIdle) idle.push(run)
      const why = isIdle ? '' : `  workers have ${counted(taken.length, 'block')} of it`
      const line = `${isIdle ? 'remove' : 'keep  '}  ${run.folder}  put on ${run.putAt.toISOString().slice(0, 10)}${why}`
      process.stdout.write(`${safeLine(line)}\n`)
    }
    if (old.length === 0) process.stdout.write('no run in the queue is older\n')
    if (dryRun || idle.length === 0 || !(yes || (await isWanted(idle.length)))) return 0
    for (const { run, queues } of idle) await removeRun(database, run, queues)
    process.stdout.write(`removed ${counted(idle.length, 'run')} from the queue\n`)
    return 0
  } finally {
    await database.close()
  }
}
