import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import { type StorageError, UserError } from '../../text/errors.ts'
import { folderProblem } from './lines.ts'
import { shareSyncs } from './shared-sync.ts'
import { storageError, withStorageErrors } from './storage.ts'

const batchBytes = 64 * 1024
const newline = 0x0a

/** An append-only file of lines. Free lines wait in a batch of at most 64 KiB; `sync` makes all of it durable. */
export interface LineFile {
  /** Takes one line of JSON without its newline. Writes the batch when it is full, which is all the back-pressure there is. */
  append(line: string): void
  flush(): void
  /**
   * Resolves when all lines appended before the call are on the disk. Callers share one fdatasync: it begins when the one
   * under way has ended and the least patient of them has waited as long as it may; at once without `patienceMs`.
   */
  sync(patienceMs?: number): Promise<void>
  close(): void
}

/** What else happens when a file of lines is written. */
export interface LineFileEvents {
  /** Runs before each batch reaches the file; may flush it. */
  beforeWrite?: (() => void) | undefined
  /** Runs after that. */
  afterWrite?: (() => void) | undefined
  /** Runs before anything is written, and throws where it must not be: the file is left as it is then. */
  assertWritable?: (() => void) | undefined
  /** Told once, when the file system has failed: from then on every call throws that error. */
  onStorageError?: ((error: StorageError) => void) | undefined
}

/**
 * Opens for appending and repairs a torn last line, which a crash can leave: glued to the next, it would lose both.
 * A batch is written whole or not at all, and nothing after one that failed: a line can be missing at the end alone.
 */
export function openLineFile(path: string, events: LineFileEvents = {}): LineFile {
  const file = openFile(path, events)
  let batch: string[] = []
  let filled = 0
  let isSyncing = false

  const flush = () => {
    file.assertNotBroken()
    if (filled > 0) events.beforeWrite?.()
    // What comes before it may have flushed it.
    if (filled === 0) return
    file.write(Buffer.from(batch.join('')))
    batch = []
    filled = 0
    events.afterWrite?.()
  }
  const shared = shareSyncs(async () => {
    if (file.isClosed()) return
    flush()
    isSyncing = true
    await file.sync().finally(() => {
      isSyncing = false
    })
  })
  return {
    append(line) {
      file.assertNotBroken()
      const bytes = Buffer.byteLength(line) + 1
      if (filled + bytes > batchBytes) flush()
      batch.push(`${line}\n`)
      filled += bytes
      if (filled > batchBytes) flush()
    },
    flush,
    sync: (patienceMs = 0) => shared.sync(patienceMs),
    close() {
      try {
        flush()
        // Whoever still waits for it may lean on it now.
        if (shared.hasWaiters() || isSyncing) file.syncNow()
      } finally {
        file.close()
        shared.startNow()
      }
    },
  }
}

/** The file under the batches: its writes succeed whole, or it is broken. */
function openFile(path: string, { assertWritable, onStorageError }: LineFileEvents) {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError({ where: path, ...folderProblem })
  const fd = withStorageErrors(path, () => openSync(path, 'a+'))
  let size = truncateTornLine(fd)
  let dirty = false
  let broken: StorageError | undefined
  let closed = false

  const fail = (error: unknown) => {
    if (broken) return broken
    broken = storageError(path, error)
    onStorageError?.(broken)
    return broken
  }
  const failing = (effect: () => void) => {
    try {
      effect()
    } catch (error) {
      throw fail(error)
    }
  }
  return {
    assertNotBroken() {
      if (broken) throw broken
    },
    write(bytes: Uint8Array) {
      failing(() => assertWritable?.())
      failing(() => writeAll(fd, bytes, size))
      size += bytes.length
      dirty = true
    },
    sync(): Promise<void> {
      if (!dirty) return Promise.resolve()
      dirty = false
      return new Promise((resolve, reject) => {
        // After a failed sync the system may forget what it could not write, so that a second one would lie.
        fdatasync(fd, (error) => (error && !closed ? reject(fail(error)) : resolve()))
      })
    },
    syncNow: () => failing(() => fdatasyncSync(fd)),
    isClosed: () => closed,
    close() {
      closed = true
      closeSync(fd)
    },
  }
}

/** Appends to a file of this size. Throws when it is no longer in any folder: nobody could read there what was written. */
function writeAll(fd: number, bytes: Uint8Array, size: number): void {
  try {
    // A short write is what a disk that fills up does first.
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
    if (fstatSync(fd).nlink === 0) throw Object.assign(new Error('the file was removed'), { code: 'ENOENT' })
  } catch (error) {
    cutOff(fd, size)
    throw error
  }
}

/** Takes back what a failed write has left of its batch. Where not even that is possible, the next open does it. */
function cutOff(fd: number, size: number): void {
  try {
    ftruncateSync(fd, size)
  } catch {}
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
