import { setTimeout as sleep } from 'node:timers/promises'
import { blockFolder } from '../../loop/join/blocks.ts'
import { type BlockDamage, damageOf, isStillDamaged } from '../../loop/join/damaged-block.ts'
import { lockPath } from '../../loop/record/lock.ts'
import { leftState, readSessions } from '../../loop/record/sessions.ts'
import type { WorkEnd } from '../../loop/work/work.ts'
import type { Lease } from '../../queue/block-queue.ts'
import { hasMark } from '../../queue/share.ts'
import { counted } from '../../reports/words/numbers.ts'
import { asError, StorageError, UserError } from '../../text/errors.ts'
import type { createProgress } from '../terminal/progress.ts'
import type { RunQueue } from './run-queues.ts'
import type { WorkerOptions, WorkerRun } from './worker-run.ts'

type Progress = ReturnType<typeof createProgress>

/** A block that a worker has taken. */
export interface TakenBlock extends RunQueue {
  run: WorkerRun
  lease: Lease
}

/** How a lease of a block has ended. */
interface EndedLease {
  /** Whether something was played of the block, as far as it went here. */
  isPlayed: boolean
  /** The exit code, if the worker has to end. */
  code?: number
  /** Says what is damaged in the block, so that nobody can play it. */
  damage?: string
}

/**
 * Plays a block under its lease, and tells how it ended, but not of a run whose folder has gone meanwhile. One that is as it was when it was found
 * damaged is given back at once.
 */
export async function playLease(
  { run, queue, lease }: TakenBlock,
  { signal, leaseMs }: WorkerOptions,
  { onEvent, tell }: Pick<Progress, 'onEvent'> & { tell(text: string): void },
): Promise<EndedLease> {
  const name = blockName(run, lease.block)
  const folder = blockFolder(run.folder, lease.block)
  if (lease.damage && isStillDamaged(folder, lease.damage)) {
    await queue.done(lease, lease.damage)
    return { isPlayed: false, damage: damageText(run, lease.block, lease.damage) }
  }
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
    if (!hasMark(run.folder, run.mark)) {
      await queue.done(lease, 'later')
      return { isPlayed: false }
    }
    const why = reasonToEnd(end)
    await queue.done(lease, signal.aborted || why !== undefined ? 'back' : 'over')
    tell(`${name}: ${why ?? endText(end, folder, signal.aborted)}`)
    return { isPlayed: end !== undefined, ...(why !== undefined && { code: 1 }) }
  } catch (error) {
    if (error instanceof LeaseLost) {
      tell(`${name}: its lease ended, so another worker goes on with it`)
      return { isPlayed: false }
    }
    // Another process holds the folder. The queue offers the block again later.
    const damage = isLockFault(error, folder) ? undefined : damageOf(error, folder)
    await queue.done(lease, signal.aborted ? 'back' : (damage ?? 'later'))
    if (!hasMark(run.folder, run.mark)) return { isPlayed: false }
    if (damage) return { isPlayed: false, damage: damageText(run, lease.block, damage) }
    if (!isLockFault(error, folder)) throw error
    tell(`${name}: ${asError(error).message}`)
    return { isPlayed: false }
  } finally {
    lost.abort()
    await held
  }
}

const blockName = ({ manifest, folder }: WorkerRun, block: number) =>
  `block ${block} of ${manifest.tasks.length} of ${folder}`

/** Says that a block is left, and how to mend it. */
export const damageText = (run: WorkerRun, block: number, { what }: BlockDamage): string =>
  `${blockName(run, block)} is left, as it is damaged: ${what}`

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

function endText(end: WorkEnd | undefined, folder: string, isAborted: boolean): string {
  if (!end) return 'was over already'
  const { done, trials, interrupted } = end
  if (!interrupted) return counted(trials, 'trial')
  const state = isAborted ? 'given back' : leftState(readSessions(folder).at(-1))
  return `${state} after ${done} of ${counted(trials, 'trial')}`
}
