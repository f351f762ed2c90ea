import { join } from 'node:path'
import { begunBlocks, blockFolder, isBlockWhole, joinBlocks } from '../../loop/join/blocks.ts'
import { type BlockDamage, isStillDamaged, withBlock } from '../../loop/join/damaged-block.ts'
import { sizesOf } from '../../loop/journal/lines.ts'
import { runFiles } from '../../loop/journal/run-files.ts'
import type { createPlaces } from '../../loop/plan/block-order.ts'
import { resumeCommand } from '../../loop/record/in-blocks.ts'
import { isPauseRequested, passPause } from '../../loop/record/people.ts'
import { readRecords } from '../../loop/record/records.ts'
import { readSessions } from '../../loop/record/sessions.ts'
import type { WorkEnd } from '../../loop/work/work.ts'
import { counted } from '../../reports/words/numbers.ts'
import type { PastSession } from '../../schema/ledger/session.ts'
import { UserError } from '../../text/errors.ts'
import type { OpenedRun, SessionOptions } from '../session/session-options.ts'
import type { PeopleRelay } from './relay-people.ts'
import type { RunQueue } from './run-queues.ts'

/** A run that workers do, as its coordinator sees it. */
export interface Coordination extends OpenedRun {
  queues: readonly RunQueue[]
  options: SessionOptions
  placeOf: ReturnType<typeof createPlaces>
  relay: PeopleRelay
  joined: Set<number>
  /** How many records of a begun block were told, and the size of their file then. */
  told: Map<number, { size: number; records: number }>
  /** What was found damaged, by the number of the block. */
  damaged: Map<number, BlockDamage>
  /** How often a block that the queue had lost was put again. */
  puts: Map<number, number>
  /** Tells once that nobody has taken a block, if that lasts. */
  watchIdle(isIdle: boolean): void
  end: WorkEnd
}

/** Time between two looks; ms. */
const lookMs = 300

/** So many blocks are joined in one look, so that it is told how far the run is. */
const mostJoined = 50

/** Looks at the blocks once: tells what is new, joins those that are whole. Returns whether nothing more will come, or how soon to look again; ms. */
export async function look(run: Coordination): Promise<'over' | number> {
  const from = performance.now()
  const { session, queues, joined, relay, end } = run
  const { folder } = session
  const left = await Promise.all(queues.map(({ queue }) => queue.left()))
  const taken = new Set(left.flatMap((one) => one.taken))
  run.watchIdle(taken.size === 0 && left.some(({ waiting }) => waiting > 0))
  const onDamage = (block: number, damage: BlockDamage) => tellDamage(run, block, damage)
  for (const { damaged } of left) for (const { block, damage } of damaged) onDamage(block, damage)
  const begun = begunBlocks(folder).filter(
    (block) => !isStillDamaged(blockFolder(folder, block), run.damaged.get(block)),
  )
  const [answered, whole]: [number[], number[]] = [[], []]
  for (const block of begun)
    withBlock(
      blockFolder(folder, block),
      (damage) => onDamage(block, damage),
      () => {
        tellRecords(run, block)
        answered.push(...relay.look([block]))
        if (whole.length < mostJoined && !taken.has(block) && isBlockWhole(blockFolder(folder, block)))
          whole.push(block)
      },
    )
  for (const block of joinBlocks(folder, whole, { ...run, onDamage })) {
    joined.add(block)
    run.told.delete(block)
    run.damaged.delete(block)
  }
  if (whole.length === mostJoined) return 0
  if (isPauseRequested(folder)) {
    end.paused = true
    for (const { queue } of queues) await queue.pause(true)
    for (const block of begun) if (taken.has(block)) passPause(blockFolder(folder, block))
    return taken.size === 0 ? 'over' : lookMs
  }
  if (joined.size === run.manifest.tasks.length) return 'over'
  const isLeft = left.some(({ waiting }) => waiting > 0) || taken.size > 0
  const again = await putAgain(run, answered, isLeft)
  // A look over a slow file system takes its time.
  return again === 0 && !isLeft ? 'over' : Math.max(lookMs, 5 * (performance.now() - from))
}

/** Tells of a damaged block, once for each damage. */
function tellDamage({ session, options, damaged }: Coordination, block: number, damage: BlockDamage): void {
  const { what } = damage
  if (damaged.get(block)?.what !== what)
    options.onWarning(`block ${block} of ${session.folder} is damaged, so it is left: ${what}`)
  damaged.set(block, damage)
}

/** Emits the records that a block has gained. */
function tellRecords({ session, options, told, end }: Coordination, block: number): void {
  const folder = blockFolder(session.folder, block)
  const size = sizesOf(join(folder, runFiles.records)).whole
  let before = told.get(block) ?? { size: 0, records: 0 }
  if (size === before.size) return
  if (size < before.size) {
    // A person has removed the block, so that it is done again.
    end.done -= before.records
    before = { size: 0, records: 0 }
  }
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

/** A block whose last session did not settle that it stops, or whose sessions are damaged. */
function isLost(run: string, block: number): boolean {
  const reason = lastEndOf(run, block)?.reason
  return reason !== 'limit' && reason !== 'parked' && reason !== 'paused'
}

/** Returns how the last session of a block ended; undefined if it has not, or cannot be read. */
export function lastEndOf(run: string, block: number): PastSession['end'] {
  const folder = blockFolder(run, block)
  const isTold = () => {}
  return withBlock(folder, isTold, () => readSessions(folder).at(-1)?.end)
}

/** Throws `UserError` if a run cannot go on because blocks of it are damaged. Each of them was told before. */
export function requireSound({ session: { folder }, damaged, end }: Coordination): void {
  if (damaged.size === 0 || end.paused || end.waiting.length > 0 || end.limits.length > 0) return
  throw new UserError({
    where: folder,
    what: `is not whole: ${counted(damaged.size, 'block')} of it ${damaged.size === 1 ? 'is' : 'are'} damaged, as told above`,
    fix: `Mend what is named there, then go on: ${resumeCommand(folder)}`,
  })
}

/** Blocks may wait for so long without a word; ms. */
const mostIdleMs = 30_000

/** Returns a function that hears at each look whether blocks wait and nobody has one, and tells once if that has lasted. */
export function createIdleWatch(tell: () => void, now = () => performance.now()): (isIdle: boolean) => void {
  let since: number | undefined
  let isTold = false
  return (isIdle) => {
    since = isIdle ? (since ?? now()) : undefined
    if (isTold || since === undefined || now() - since < mostIdleMs) return
    isTold = true
    tell()
  }
}
