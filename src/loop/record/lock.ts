import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { writeAtomic } from '../../base/write-atomic.ts'
import { machineId } from '../../sandbox/folders/folder-owner.ts'
import { isAlive, type ProcessIdentity, thisProcess } from '../../sandbox/machine/process-identity.ts'
import { sha256 } from '../../text/canonical-json.ts'
import { StorageError, UserError } from '../../text/errors.ts'
import { runFiles } from '../journal/run-files.ts'
import { isDiskFault, storageError } from '../journal/storage.ts'
import { resumeCommand } from './in-blocks.ts'

interface LockHolder extends ProcessIdentity {
  /** The machine or container in which its process number is valid; may be absent. */
  machine?: string
  /** Host name, for messages. */
  host?: string
  /** How long it has held the folder by a monotonic clock; ms. */
  ms?: number
}

/** Returns the text of a lock that this process has held for `ms`. */
export function ownLockText(ms: number): string {
  const holder: LockHolder = { ...thisProcess(), machine: machineId(), host: hostname(), ms: Math.round(ms) }
  return JSON.stringify(holder)
}

/** Returns whether this process wrote the lock. */
export function isOwnLock(text: string | undefined): boolean {
  const holder = parseHolder(text)
  const { pid, started } = thisProcess()
  return holder?.pid === pid && holder.started === started && holder.machine === machineId()
}

/** Returns the holder that a lock names; undefined if the text names none. */
export function parseHolder(text: string | undefined): LockHolder | undefined {
  if (text === undefined) return undefined
  try {
    const holder = JSON.parse(text) as LockHolder | null
    return typeof holder?.pid === 'number' ? holder : undefined
  } catch {
    return undefined
  }
}

/** Returns the state of a holder. `foreign`: it is on another machine or in another container, so its process cannot be seen. */
export function holderState(holder: LockHolder): 'alive' | 'ended' | 'foreign' {
  if (holder.machine !== undefined && holder.machine !== machineId()) return 'foreign'
  return isAlive(holder) ? 'alive' : 'ended'
}

/** Returns the text of a lock; undefined if it cannot be read. */
export function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Returns whether a process works on a run, here or on another machine. */
export function isInUse(folder: string): boolean {
  const holder = parseHolder(readLock(lockPath(folder)))
  return holder !== undefined && holderState(holder) !== 'ended'
}

/** Returns the path of a run folder's lock. */
export const lockPath = (folder: string) => join(folder, runFiles.lock)

/** How often a holder renews its lock, so that other machines can see that it is alive; ms. */
export const heartbeatMs = 2000

/** A run folder that this process holds. */
export interface FolderLock {
  release(): void
  /** Throws `StorageError` if another process has taken the folder over; then nothing more may be written to it. */
  assertHeld(): void
  /** How long a killed process had held the folder, according to its lock; ms. */
  killedMs?: number | undefined
}

/**
 * Locks a run folder for this process. Throws `UserError` if another process holds it, or a process of another machine or
 * container. The lock of an ended process of this machine is taken over; if several processes try, one wins. `onLost` is called
 * once if another process has taken the folder over.
 */
export function lockRunFolder(folder: string, onLost: (error: StorageError) => void = () => {}): FolderLock {
  const path = lockPath(folder)
  let killedMs: number | undefined
  for (let tries = 0; tries < 5; tries++) {
    if (createFile(path, ownLockText(0))) {
      const release = startHeartbeat(folder, onLost)
      return { release, assertHeld: () => assertHeld(folder), killedMs }
    }
    const text = readLock(path)
    if (text === undefined) {
      assertReadable(path)
      continue
    }
    const holder = parseHolder(text)
    if (holder && holderState(holder) !== 'ended') throwLocked(folder, holder)
    removeLock(folder, text)
    killedMs = holder?.ms
  }
  return throwLocked(folder)
}

/**
 * Removes a lock with the given text, whose holder has ended. Throws `UserError` while another process does the same.
 * `beforeRemoval` runs first, in one process only, and only if the lock still has that text.
 */
export function removeLock(folder: string, text: string, beforeRemoval: () => void = () => {}): void {
  const path = lockPath(folder)
  // Only one process may remove this lock: a second one would remove the new lock of the first.
  const claim = join(folder, `lock.over-${sha256(text).slice(0, 12)}`)
  if (!createFile(claim, ownLockText(0))) {
    const claimant = parseHolder(readLock(claim))
    if (claimant && holderState(claimant) !== 'ended') throwLocked(folder, claimant)
    rmSync(claim, { force: true })
    return
  }
  try {
    if (readLock(path) !== text) return
    beforeRemoval()
    rmSync(path, { force: true })
  } finally {
    rmSync(claim, { force: true })
  }
}

/** A process that was suspended may have lost its lock meanwhile. */
function assertHeld(folder: string): void {
  if (!isHeld(folder)) throw lostError(folder)
}

/** Returns false if the lock is gone or belongs to another process. A lock that cannot be read at the moment counts as held. */
function isHeld(folder: string): boolean {
  try {
    return isOwnLock(readFileSync(lockPath(folder), 'utf8'))
  } catch (error) {
    // Files that are open in a folder that is gone still take lines, which nobody would ever read. Only another machine makes one stale.
    return !['ENOENT', 'ESTALE'].includes((error as NodeJS.ErrnoException).code ?? '')
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

/** Write errors are ignored here: a full disk is reported by the write that loses a line. */
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
      ? `${nameOf(holder)} has taken over this run folder`
      : 'was removed while this run was using it',
    fix: existsSync(folder)
      ? 'Use only one bench on a run folder at a time. If trials are now recorded twice, use bench run --resume RUN --repair.'
      : 'The folder was moved or removed: go on with it where it is now, or start a new run.',
  })
}

/**
 * Throws `UserError` if another process of this machine holds a run folder, or a process of another machine or container and
 * `takeOver` is false. It does not lock the folder.
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
    what: `${holder ? nameOf(holder) : 'another bench'} is using this run folder`,
    fix: isForeign
      ? `Wait until it has ended. Its process is not visible from here; if it is dead, use ${resumeCommand(folder)} --take-over.`
      : 'Wait until it has ended or stop it, then try again.',
  })
}

/** Throws `UserError` for a lock that is not a readable file: bench could never take it over. */
function assertReadable(path: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (!there || (there.isFile() && readLock(path) !== undefined)) return
  throw new UserError({
    where: path,
    what: there.isFile()
      ? 'cannot be read, so the holder of this run folder is unknown'
      : 'is not a lock file',
    fix: 'If no other bench is using this run folder, remove it and try again.',
  })
}

function nameOf(holder: LockHolder): string {
  const place =
    holderState(holder) === 'foreign' ? ` on another machine or in another container, "${holder.host}"` : ''
  return `another bench (process ${holder.pid}${place})`
}

/** Creates a file with its content atomically; returns false if it exists already. */
function createFile(path: string, content: string): boolean {
  // Processes in two containers may have the same number.
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, content)
    linkSync(draft, path)
    return true
  } catch (error) {
    // Over NFS a link may be made whose answer is lost; the second try then finds it there.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return lstatSync(draft).nlink > 1
    if (isDiskFault(error)) throw storageError(path, error)
    throw new UserError({
      where: path,
      what: `cannot be written (${(error as NodeJS.ErrnoException).code})`,
      fix: 'Use a folder that you may write to.',
    })
  } finally {
    rmSync(draft, { force: true })
  }
}
