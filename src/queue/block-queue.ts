import { randomUUID } from 'node:crypto'
import type { Job } from 'bullmq'
import { loadPeers } from '../base/load-package.ts'
import type { BlockDamage } from '../loop/join/damaged-block.ts'
import { UserError } from '../text/errors.ts'
import { type Database, patiently, schemaName } from './database.ts'

/** The right to play a block until it ends, as long as it is extended. */
export interface Lease {
  /** The number of the block, from 1. */
  block: number
  job: Job
  /** Proves that it is this lease, and not a later one of the same block. */
  token: string
  /** Why the last one that had it could not go on with it. */
  damage: BlockDamage | undefined
}

/**
 * The blocks of a run that nobody has played to their end. It says who tries a block and nothing else: what was played stands in the
 * folder of the block, whose lock decides who writes. A lease that is not extended ends, and the block is given to the next that takes.
 */
export interface BlockQueue {
  name: string
  /** Adds blocks. One that is there already stays as it is. */
  put(blocks: readonly number[]): Promise<void>
  /** Returns the first block that nobody has, in the order of the plan; undefined if there is none now. */
  take(): Promise<Lease | undefined>
  /** Holds a block for another lease. Returns false if it was lost. */
  extend(lease: Lease): Promise<boolean>
  /** Ends a lease: the block is over, or is given back, at once or, as one that is damaged, after some time. Does nothing for a lease that was lost. */
  done(lease: Lease, how: 'over' | 'back' | 'later' | BlockDamage): Promise<void>
  /** Counts the blocks that are left, and returns those that somebody has, and those among the others that were given back as damaged. */
  left(): Promise<{ waiting: number; taken: number[]; damaged: { block: number; damage: BlockDamage }[] }>
  /** Whether it gives no blocks now. */
  isPaused(): Promise<boolean>
  /** Gives no more blocks, or gives them again. */
  pause(isPaused: boolean): Promise<void>
  /** Removes it from the database. */
  remove(): Promise<void>
  close(): Promise<void>
}

interface EnginePart {
  on(event: 'error', listener: () => void): unknown
  waitUntilReady(): Promise<unknown>
  close(): Promise<void>
}

/** So many blocks are put at once. */
const batch = 1000
/** A block whose folder somebody else still holds, or which is damaged, is tried again after this time; ms. */
const laterMs = 5000
/** A lost lease or connection is no reason to give a block up: its folder tells what is left to do. */
const always = 1_000_000

/** Opens the queue of blocks that a name stands for. A lease ends after `leaseMs` without an extension. */
export async function openBlockQueue(database: Database, name: string, leaseMs: number): Promise<BlockQueue> {
  const [{ Queue, Worker, createPostgresBackend }] = loadPeers(
    ['bullmq', 'pg'],
    '--queue',
    (problem) => new UserError(problem),
  ) as [typeof import('bullmq')]
  const connection = { ...database.config, schema: schemaName, migrate: true, max: 2 }
  const call = <Result>(act: () => Promise<Result>) => patiently(database.name, act)
  // What the next call does not meet again is over. One that has failed to connect once never does.
  const ready = async <Part extends EnginePart>(
    engine: Part,
    begin: (engine: Part) => Promise<void> = async () => {},
  ): Promise<Part> => {
    engine.on('error', () => {})
    try {
      await engine.waitUntilReady()
      await begin(engine)
      return engine
    } catch (error) {
      await engine.close().catch(() => {})
      throw error
    }
  }
  const queue = await call(() => ready(new Queue(name, { connection }, createPostgresBackend)))
  // Whoever takes blocks also looks for those whose lease has ended.
  const stalledInterval = Math.min(2000, leaseMs / 2)
  const lasting = { lockDuration: leaseMs, stalledInterval, maxStalledCount: always, autorun: false }
  const startTaking = () =>
    ready(new Worker(name, null, { connection, ...lasting }, createPostgresBackend), (started) =>
      started.startStalledCheckTimer(),
    )
  let taker: Awaited<ReturnType<typeof startTaking>> | undefined
  return {
    name,
    async put(blocks) {
      for (let from = 0; from < blocks.length; from += batch) {
        const jobs = blocks.slice(from, from + batch).map((block) => ({
          name: 'block',
          data: { run: name, block },
          // A block that is taken again comes before those that nobody has begun, since its place is before theirs.
          opts: { jobId: `block-${block}`, priority: block, attempts: always, removeOnComplete: true },
        }))
        await call(() => queue.addBulk(jobs))
      }
    },
    async take() {
      const token = randomUUID()
      const job = await call(async () => {
        taker ??= await startTaking()
        return taker.getNextJob(token, { block: false })
      })
      return job && { block: (job as Job).data.block, job, token, damage: (job as Job).data.damage }
    },
    extend: ({ job, token }) => call(async () => (await job.extendLock(token, leaseMs)) > 0),
    done: ({ job, token }, how) =>
      call(async () => {
        try {
          if (how === 'over') await job.moveToCompleted(true, token, false)
          else if (how === 'back') await job.moveToWait(token)
          else {
            const damage = how === 'later' ? undefined : how
            if (damage || job.data.damage) await job.updateData({ ...job.data, damage })
            await job.moveToDelayed(Date.now() + laterMs, token)
          }
        } catch (error) {
          if (!/lock|Missing key|not in the active state/i.test((error as Error).message)) throw error
        }
      }),
    async left() {
      const counts = await call(() => queue.getJobCounts('active', 'wait', 'prioritized', 'delayed'))
      const jobsOf = async (state: 'active' | 'delayed') =>
        counts[state] ? await call(() => queue.getJobs([state], 0, 999)) : []
      const [taken, later] = [await jobsOf('active'), await jobsOf('delayed')]
      const { active = 0, ...others } = counts
      return {
        waiting: Object.values(others).reduce((sum, count) => sum + count, 0),
        taken: active === 0 ? [] : taken.flatMap((job) => job?.data.block ?? []),
        damaged: later.flatMap((job) =>
          job?.data.damage ? [{ block: job.data.block, damage: job.data.damage }] : [],
        ),
      }
    },
    isPaused: () => call(() => queue.isPaused()),
    pause: (isPaused) => call(() => (isPaused ? queue.pause() : queue.resume())),
    remove: () => call(() => queue.obliterate({ force: true })),
    async close() {
      await Promise.allSettled([taker?.close(true), queue.close()])
    },
  }
}
