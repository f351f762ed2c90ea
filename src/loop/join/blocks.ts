import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { syncPath, writeAtomic } from '../../base/write-atomic.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { UserError } from '../../text/errors.ts'
import { journalFiles } from '../journal/journal.ts'
import { sizesOf } from '../journal/lines.ts'
import { runFiles } from '../journal/run-files.ts'
import { type createPlaces, orderBlocks } from '../plan/block-order.ts'
import { blockFolders, isInBlocks } from '../record/in-blocks.ts'
import { type FolderLock, isInUse, lockRunFolder } from '../record/lock.ts'
import { readRecords } from '../record/records.ts'
import { readFirstManifest } from '../record/run-folder.ts'
import { readSessions } from '../record/sessions.ts'
import { copyBlobs, copyBytes, copyTrials } from './copy.ts'
import { type BlockDamage, withBlock } from './damaged-block.ts'
import { checkSource, type Source } from './read-shard.ts'

/** Returns the folder of a block, counted from 1 in the order of the plan. It has the ledger of a run, but no run.json. */
export const blockFolder = (run: string, block: number): string =>
  join(run, blockFolders.begun, String(block))

const joinedFolder = (run: string, block: number) => join(run, blockFolders.joined, String(block))

/**
 * Makes the folder of a block. Returns undefined if the run has its lines already, or is over or gone, so that nothing is left to do here: a run
 * whose folder was moved or removed is not made again.
 */
export function openBlock(run: string, block: number): string | undefined {
  const folder = blockFolder(run, block)
  try {
    mkdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code !== 'EEXIST') throw error
  }
  // In this order: a folder that is moved away meanwhile is found where it is then.
  if (!existsSync(joinedFolder(run, block))) return folder
  rmSync(folder, { recursive: true, force: true })
  return undefined
}

/** Returns the blocks that have begun and whose lines the run does not have yet. */
export const begunBlocks = (run: string): number[] => numbersIn(join(run, blockFolders.begun))

/** Returns the folders in which the lines of a run stand: its own, and those of the blocks that have begun. A number that its plan does not have is no block. */
export function ledgersOf(run: string): string[] {
  const begun = begunBlocks(run)
  const blocks = begun.length > 0 ? readFirstManifest(run).tasks.length : 0
  return [
    run,
    ...begun.filter((block) => block > 0 && block <= blocks).map((block) => blockFolder(run, block)),
  ]
}

/** Reads the records of a run, and of its blocks that have begun. */
export function* readAllRecords(run: string): Generator<TrialRecord> {
  for (const ledger of ledgersOf(run)) yield* readRecords(ledger)
}

/** Returns the blocks whose lines the run has. */
export const joinedBlocks = (run: string): Set<number> => new Set(numbersIn(join(run, blockFolders.joined)))

/** Returns the folder of the ledger in which the trials of a task stand: of its block as long as workers do that, else of the run. */
export function ledgerOf(run: string, { tasks, seed }: RunManifest, task: string): string {
  const folder = blockFolder(run, orderBlocks(tasks, seed).findIndex(({ ref }) => ref === task) + 1)
  return existsSync(folder) ? folder : run
}

/** Whether all trials of a block have a record. */
export const isBlockWhole = (folder: string): boolean => readSessions(folder).at(-1)?.end?.reason === 'whole'

/** The files that a run gains from each block, line by line. */
const grown = [journalFiles.steps, journalFiles.events, journalFiles.records, runFiles.sessions] as const

/** The bytes of these files after the last blocks that were joined, and these blocks. */
interface Joined {
  blocks: number[]
  bytes: Record<string, number>
}

const notePath = (run: string) => join(run, blockFolders.joined, 'last.json')

/**
 * Makes the folders of blocks, and undoes a join that was cut off. Only the holder of the run's lock may call it. Throws `UserError` for a run
 * that has lines of which no note tells that they are of blocks: they must not be cut off.
 */
export function readyBlocks(run: string): void {
  const last: Joined | undefined = existsSync(notePath(run))
    ? JSON.parse(readFileSync(notePath(run), 'utf8'))
    : undefined
  const isOver = !isInBlocks(run) && grown.some((file) => sizeOf(join(run, file)) > 0)
  if (isOver || (!last && joinedBlocks(run).size > 0))
    throw new UserError({
      where: run,
      what: isOver ? 'is not done by workers any more' : `has lost ${notePath(run)}`,
      fix: isOver
        ? 'Go on with it here, without --queue.'
        : 'Restore the file from a copy of the run folder.',
    })
  for (const name of Object.values(blockFolders)) mkdirSync(join(run, name), { recursive: true })
  for (const file of grown) {
    const size = sizeOf(join(run, file))
    const known = last?.bytes[file] ?? 0
    if (size < known)
      throw new UserError({
        where: join(run, file),
        what: `has lost lines: ${size} bytes are left of ${known}`,
        fix: 'Restore the file from a copy of the run folder.',
      })
    if (size > known) truncateSync(join(run, file), known)
  }
  for (const block of last?.blocks ?? []) moveAway(run, block)
}

/**
 * Adds the lines of whole blocks to their run, after checking them as `joinShards` does, and takes their folders away. A crash at any point is
 * undone or finished by `readyBlocks`. Returns the blocks that were joined: those that somebody holds are left, and those that are damaged, of
 * which it tells `onDamage`.
 */
export function joinBlocks(
  run: string,
  blocks: readonly number[],
  about: {
    manifest: RunManifest
    placeOf: ReturnType<typeof createPlaces>
    onDamage(block: number, damage: BlockDamage): void
  },
): number[] {
  const held = blocks.flatMap((block) => {
    const lock = tryLock(blockFolder(run, block))
    return lock ? [{ block, lock }] : []
  })
  try {
    // The run gains no line before all that is damaged has been left out.
    const sound = held.filter(({ block }) => {
      const folder = blockFolder(run, block)
      const tell = (damage: BlockDamage) => about.onDamage(block, damage)
      return withBlock(folder, tell, () => checkBlock(run, block, about)) === true
    })
    if (sound.length === 0) return []
    for (const { block } of sound)
      for (const file of grown) append(join(blockFolder(run, block), file), join(run, file))
    for (const file of grown) syncPath(join(run, file))
    // The folders of the blocks before must have gone for good.
    for (const name of Object.values(blockFolders)) syncPath(join(run, name))
    const bytes = Object.fromEntries(grown.map((file) => [file, sizeOf(join(run, file))]))
    const joined = sound.map(({ block }) => block)
    writeAtomic(notePath(run), JSON.stringify({ blocks: joined, bytes } satisfies Joined), { durable: true })
    for (const { block, lock } of sound) {
      lock.assertHeld()
      moveAway(run, block)
    }
    return joined
  } finally {
    for (const { lock } of held) lock.release()
  }
}

/** Checks every line of a block, and copies the files that its lines name. */
function checkBlock(
  run: string,
  block: number,
  { manifest, placeOf }: Parameters<typeof joinBlocks>[2],
): true {
  const folder = blockFolder(run, block)
  const whole = (file: string) => ({ offset: 0, length: sizesOf(join(folder, file)).whole })
  const part = { index: block, steps: whole(journalFiles.steps), events: whole(journalFiles.events) }
  const source: Source = {
    ...{ folder, manifest, of: manifest.tasks.length },
    parts: [{ ...part, people: whole(runFiles.people) }],
  }
  checkSource(source, placeOf)
  copyBlobs(folder, run)
  for (const kept of ['artifacts', 'workspaces']) copyTrials(folder, run, kept)
  return true
}

function tryLock(folder: string): FolderLock | undefined {
  if (isInUse(folder)) return undefined
  try {
    return lockRunFolder(folder)
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

/** Removes the folders of blocks: the run has the lines of all. */
export function endBlocks(run: string): void {
  // In this order: without the first of them the run is over, whatever is left of the other.
  for (const name of [blockFolders.begun, blockFolders.joined]) {
    clear(join(run, name))
    syncPath(run)
  }
}

/** Removes what nobody needs any more, as far as it can be removed: NFS keeps files that other processes have open. */
function clear(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 })
  } catch {}
}

/** A worker that was suspended finds its folder, and so its lock, gone. */
function moveAway(run: string, block: number): void {
  if (!existsSync(blockFolder(run, block))) return
  const to = joinedFolder(run, block)
  if (existsSync(to)) rmSync(blockFolder(run, block), { recursive: true })
  else renameSync(blockFolder(run, block), to)
  for (const name of readdirSync(to)) clear(join(to, name))
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

function append(from: string, to: string): void {
  const [source, target] = [openSync(from, 'r'), openSync(to, 'a')]
  try {
    copyBytes(source, target, { offset: 0, length: sizesOf(from).whole })
  } finally {
    closeSync(source)
    closeSync(target)
  }
}

const numbersIn = (folder: string): number[] =>
  (existsSync(folder) ? readdirSync(folder) : []).filter((name) => /^\d+$/.test(name)).map(Number)
