import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { writeAtomic } from '../../base/write-atomic.ts'
import { blockFolders } from '../../loop/join/blocks.ts'
import { orderBlocks } from '../../loop/plan/block-order.ts'
import { setLimits } from '../../queue/allowance.ts'
import { type BlockQueue, openBlockQueue } from '../../queue/block-queue.ts'
import type { Database } from '../../queue/database.ts'
import { markShare } from '../../queue/share.ts'
import type { KeepWorkspaces } from '../../schema/keep-workspaces.ts'
import type { ApprovalPolicy } from '../../schema/ledger/approval.ts'
import type { Budgets } from '../../schema/limits.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'

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

/** Tells workers of a run and of its limits. Its folder gets a mark, by which they know that they see the same one. */
export async function announceRun(
  database: Database,
  folder: string,
  run: string,
  queues: readonly RunQueue[],
  limits: Pick<SharedSession, 'budgets' | 'pastMs'>,
): Promise<void> {
  await database.query(
    `insert into bench_run (run, folder, mark, queues) values ($1, $2, $3, $4)
     on conflict (run) do update set folder = $2, mark = $3, put_at = now()`,
    [run, basename(folder), markShare(folder), queues.map(({ queue }) => queue.name)],
  )
  const blocks = queues.reduce((sum, one) => sum + one.blocks.length, 0)
  await setLimits(database, run, { ...limits, blocks })
}

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
  for (const name of queues) {
    const queue = await openBlockQueue(database, name, shortestLeaseMs)
    await queue.remove()
    await queue.close()
  }
  await database.query('delete from bench_run where run = $1', [run])
}

/** Whoever takes no block holds no lease. */
export const shortestLeaseMs = 2000

/** What a session of a run settles for all workers; another session may settle it otherwise. */
interface SharedSession {
  /** The limits of the whole run. */
  budgets: Budgets
  /** How long earlier sessions of its coordinator have lasted. */
  pastMs: number
  approve: ApprovalPolicy
  keepGoing: boolean
  allowUnpriced?: boolean | undefined
  keepWorkspaces?: KeepWorkspaces | undefined
}

const sessionPath = (run: string) => join(run, blockFolders.joined, 'session.json')

/** Writes what workers read before each block. */
export const writeSession = (run: string, session: SharedSession): void =>
  writeAtomic(sessionPath(run), JSON.stringify(session), { durable: true })

/** Reads what the session of a run has settled; undefined if it has had none. */
export const readSession = (run: string): SharedSession | undefined =>
  existsSync(sessionPath(run)) ? JSON.parse(readFileSync(sessionPath(run), 'utf8')) : undefined
