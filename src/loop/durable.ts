import {
  closeSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import { type StorageError, UserError } from '../errors.ts'
import { folderInPlace } from './lines.ts'
import { storageError, storing } from './storage.ts'

const batchBytes = 64 * 1024
const newline = 0x0a

/** The most bytes that UTF-8 needs for one unit of a text's length. */
const bytesPerUnit = 3

/** Least time between two syncs of a file: callers of a busy moment share one, and one that comes alone waits for nobody. */
const gatherMs = 4

/** An append-only file of lines. Free lines wait in a batch of at most 64 KiB; `sync` makes all of it durable. */
export interface LineFile {
  /** Takes one line of JSON without its newline. Writes the batch when it is full, which is all the back-pressure there is. */
  append(line: string): void
  flush(): void
  /** Resolves when all lines appended before the call are on the disk. Concurrent callers share one fdatasync. */
  sync(): Promise<void>
  close(): void
}

/** What else happens when a file of lines is written. */
export interface LineFileEvents {
  /** Runs before each batch reaches the file. */
  beforeWrite?: (() => void) | undefined
  /** Told once, when the file system has failed: from then on every call throws that error. */
  onBroken?: ((error: StorageError) => void) | undefined
}

/**
 * Opens for appending and repairs a torn last line, which a crash can leave: glued to the next, it would lose both.
 * A batch is written whole or not at all, and nothing after one that failed: a line can be missing at the end alone.
 */
export function openLineFile(path: string, { beforeWrite, onBroken }: LineFileEvents = {}): LineFile {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError({ where: path, ...folderInPlace })
  const fd = storing(path, () => openSync(path, 'a+'))
  let size = truncateTornLine(fd)
  // Lines become bytes as they come: a text that grows would be copied, measured and encoded again as a whole.
  const batch = Buffer.allocUnsafe(batchBytes)
  let filled = 0
  let dirty = false
  let broken: StorageError | undefined
  let running: Promise<void> = Promise.resolve()
  let queued: Promise<void> | undefined
  let syncedAt = Number.NEGATIVE_INFINITY

  const fail = (error: unknown) => {
    broken = storageError(path, error)
    onBroken?.(broken)
    return broken
  }
  const write = (bytes: Uint8Array) => {
    beforeWrite?.()
    try {
      writeAll(fd, bytes)
    } catch (error) {
      cutOff(fd, size)
      throw fail(error)
    }
    size += bytes.length
    dirty = true
  }
  const flush = () => {
    if (broken) throw broken
    if (filled === 0) return
    write(batch.subarray(0, filled))
    filled = 0
  }
  const syncNow = () => {
    flush()
    if (!dirty) return Promise.resolve()
    dirty = false
    return new Promise<void>((resolve, reject) => {
      // After a failed sync the system may forget what it could not write, so that a second one would lie.
      fdatasync(fd, (error) => {
        syncedAt = performance.now()
        return error ? reject(fail(error)) : resolve()
      })
    })
  }
  const gather = () => {
    const left = gatherMs - (performance.now() - syncedAt)
    return left > 0 ? new Promise<void>((resolve) => setTimeout(resolve, left)) : undefined
  }

  return {
    append(line) {
      if (broken) throw broken
      const most = line.length * bytesPerUnit + 1
      if (filled + most > batchBytes) flush()
      if (most > batchBytes) return write(Buffer.from(`${line}\n`))
      filled += batch.write(line, filled)
      batch[filled++] = newline
    },
    flush,
    sync() {
      // A sync under way may have begun before this caller's line was written: the next one covers all that wait now.
      queued ??= running
        .catch(() => {})
        .then(gather)
        .then(() => {
          queued = undefined
          running = syncNow()
          return running
        })
      return queued
    },
    close() {
      try {
        flush()
      } finally {
        closeSync(fd)
      }
    },
  }
}

/** Throws when the file is no longer in any folder: nobody could read there what was written. */
function writeAll(fd: number, bytes: Uint8Array): void {
  // A short write is what a disk that fills up does first.
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
  if (fstatSync(fd).nlink === 0) throw Object.assign(new Error('the file was removed'), { code: 'ENOENT' })
}

/** Takes back what a failed write has left of its batch. Where not even that is possible, the next open does it. */
function cutOff(fd: number, size: number): void {
  try {
    ftruncateSync(fd, size)
  } catch {}
}

/** Makes a new or renamed file in a folder survive a power loss. */
export function syncFolder(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Gives the size of the file afterwards. */
function truncateTornLine(fd: number): number {
  const { size } = fstatSync(fd)
  const chunk = Buffer.alloc(Math.min(size, batchBytes))
  let end = size
  while (end > 0) {
    const start = Math.max(0, end - chunk.length)
    const length = readSync(fd, chunk, 0, end - start, start)
    const last = chunk.lastIndexOf(newline, length - 1)
    if (last >= 0) {
      const whole = start + last + 1
      if (whole < size) ftruncateSync(fd, whole)
      return whole
    }
    end = start
  }
  if (size > 0) ftruncateSync(fd, 0)
  return 0
}
