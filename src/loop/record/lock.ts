import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../../base/write-atomic.ts'
import { sha256 } from '../../text/canonical-json.ts'
import { StorageError, UserError } from '../../text/errors.ts'
import { isDiskFault, storageError } from '../journal/storage.ts'
import { holderState, isOwnLock, type LockHolder, ownLockText, parseHolder, readLock } from './lock-holder.ts'

/** The lock of a run folder. */
export const lockPath = (folder: string) => join(folder, 'lock')

/** How often a holder renews its lock, so that others can see from anywhere that it lives; ms. */
export const heartbeatMs = 2000

/** A run folder that this process holds. */
export interface FolderLock {
  release(): void
  /** Throws `StorageError` when somebody else has taken the folder over: nothing may be written to it any more. */
  assertHeld(): void
  /** How long a process that was killed had held the folder, as its lock tells; ms. */
  killedMs?: number | undefined
}

/**
 * Makes this process the only one on a run folder. Throws `UserError` when another one holds
 * it, or when its holder is of another machine or container. The lock of a process of this machine that has ended is
 * taken over; of several that try, one wins. `onLost` is told once when somebody else has taken the folder over.
 */
export function lockRunFolder(folder: string, onLost: (error: StorageError) => void = () => {}): FolderLock {
  const path = lockPath(folder)
  let killedMs: number | undefined
  for (let tries = 0; tries < 5; tries++) {
    if (createFile(path, ownLockText(0))) {
      const release = startHeartbeat(folder, onLost)
      return { release, assertHeld: () => assertHeld(folder), killedMs }
    }
    const held = readLock(path)
    if (held === undefined) {
      assertReadable(path)
      continue
    }
    const holder = parseHolder(held)
    if (holder && holderState(holder) !== 'ended') throwLocked(folder, holder)
    removeLock(folder, held)
    killedMs = holder?.ms
  }
  return throwLocked(folder)
}

/**
 * Removes a lock whose holder has ended. Throws `UserError` while another process does the same. `first` runs before that,
 * in one process alone, and only where the lock is still that one.
 */
export function removeLock(folder: string, held: string, first: () => void = () => {}): void {
  const path = lockPath(folder)
  // Only one process may remove this very lock: a second one would remove the winner's new lock instead.
  const claim = join(folder, `lock.over-${sha256(held).slice(0, 12)}`)
  if (!createFile(claim, ownLockText(0))) {
    const claimant = parseHolder(readLock(claim))
    if (claimant && holderState(claimant) !== 'ended') throwLocked(folder, claimant)
    rmSync(claim, { force: true })
    return
  }
  try {
    if (readLock(path) !== held) return
    first()
    rmSync(path, { force: true })
  } finally {
    rmSync(claim, { force: true })
  }
}

/** A process that was stopped for a while goes on where it was, and must not write what it has in hand. */
function assertHeld(folder: string): void {
  if (!isHeld(folder)) throw lostError(folder)
}

/** Only a lock that is gone or another's is lost: one that cannot be read just now is none. */
function isHeld(folder: string): boolean {
  try {
    return isOwnLock(readFileSync(lockPath(folder), 'utf8'))
  } catch (error) {
    // Of a folder that is gone as a whole, the write itself tells.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT' || !existsSync(folder)
  }
}

function startHeartbeat(folder: string, onLost: (error: StorageError) => void): () => void {
  const path = lockPath(folder)
  const since = performance.now()
  const timer = setInterval(() => {
    if (isHeld(folder)) return renewLock(path, performance.now() - since)
    clearInterval(timer)
    onLost(lostError(folder))
  }, heartbeatMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    if (isOwnLock(readLock(path))) rmSync(path, { force: true })
  }
}

/** A disk that cannot be written to tells so where a line is lost, not here. */
function renewLock(path: string, ms: number): void {
  try {
    writeAtomic(path, ownLockText(ms))
  } catch {}
}

function lostError(folder: string): StorageError {
  const holder = parseHolder(readLock(lockPath(folder)))
  return new StorageError({
    where: lockPath(folder),
    what: holder
      ? `${nameOf(holder)} has taken this run folder over`
      : 'was removed while this run was at work',
    fix: 'Let only one bench work on a run folder. If trials are recorded twice now: bench run --resume RUN --repair.',
  })
}

/**
 * Throws `UserError` when another process is at work on a run folder, or may be in another machine or container, unless
 * the folder is to be taken over from there. Takes no lock.
 */
export function assertNotLocked(folder: string, { takeOver }: { takeOver: boolean }): void {
  const holder = parseHolder(readLock(lockPath(folder)))
  const state = holder && holderState(holder)
  if (holder && (state === 'alive' || (state === 'foreign' && !takeOver))) throwLocked(folder, holder)
}

function throwLocked(folder: string, holder?: LockHolder): never {
  const isForeign = holder !== undefined && holderState(holder) === 'foreign'
  throw new UserError({
    where: folder,
    what: `${holder ? nameOf(holder) : 'another bench'} is at work on this run folder`,
    fix: isForeign
      ? `Wait until it has ended. Its process cannot be seen from here; if it is dead: bench run --resume ${folder} --take-over.`
      : 'Wait until it has ended, or stop it, then try again.',
  })
}

/** A folder or a link to nothing in the place of a lock would look held for ever. */
function assertReadable(path: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (!there || (there.isFile() && readLock(path) !== undefined)) return
  throw new UserError({
    where: path,
    what: there.isFile() ? 'cannot be read, so nobody knows who holds this run folder' : 'is no lock file',
    fix: 'Remove it if no other bench is at work on this run folder, then try again.',
  })
}

function nameOf(holder: LockHolder): string {
  const place = holderState(holder) === 'foreign' ? ` in another container or machine, "${holder.host}"` : ''
  return `another bench (process ${holder.pid}${place})`
}

/** Creates a file with its content at once, so that nobody can read it half written; false when it is there already. */
function createFile(path: string, content: string): boolean {
  // Two containers may count the same process number.
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, content)
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    if (isDiskFault(error)) throw storageError(path, error)
    throw new UserError({
      where: path,
      what: `cannot be written (${(error as NodeJS.ErrnoException).code})`,
      fix: 'Give a folder that you may write to.',
    })
  } finally {
    rmSync(draft, { force: true })
  }
}
