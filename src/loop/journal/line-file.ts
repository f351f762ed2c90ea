import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs'
import { type StorageError, UserError } from '../../text/errors.ts'
import { folderProblem, wholeBytes } from './lines.ts'
import { type StorageEvents, shareSyncs, storageError, withStorageErrors } from './storage.ts'

const batchBytes = 64 * 1024

/** An append-only file of lines. Lines wait in a batch of at most 64 KiB; `sync` makes all of them durable. */
export interface LineFile {
  /** Appends one line of JSON, given without its newline. Writes the batch when it is full. */
  append(line: string): void
  flush(): void
  /**
   * Resolves when all lines appended before the call are on the disk. Callers share one fdatasync. It begins when the
   * running one has ended and `maxWaitMs` of any waiting caller is over; by default that is 0.
   */
  sync(maxWaitMs?: number): Promise<void>
  close(): void
}

/** Callbacks of a line file. */
export interface LineFileEvents extends StorageEvents {
  /** Runs before each batch is written; may itself flush this file. */
  beforeWrite?: (() => void) | undefined
  /** Runs after each batch is written. */
  afterWrite?: (() => void) | undefined
}

/**
 * Opens a file for appending, and removes an incomplete last line that a crash has left. A batch is written whole or not at all,
 * and nothing is written after a batch that failed, so that lines can be missing only at the end.
 */
export function openLineFile(path: string, events: LineFileEvents = {}): LineFile {
  const file = openFile(path, events)
  let batch: string[] = []
  let filled = 0
  let isSyncing = false

  const flush = () => {
    file.assertNotBroken()
    if (filled > 0) events.beforeWrite?.()
    // `beforeWrite` may have flushed this batch.
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
    sync: (maxWaitMs = 0) => shared.sync(maxWaitMs),
    close() {
      try {
        flush()
        // Callers that still wait for a sync must not resolve before it.
        if (shared.hasWaiters() || isSyncing) file.syncNow()
      } finally {
        file.close()
        shared.startNow()
      }
    },
  }
}

/** Opens the file below the batches. A write succeeds whole, or all later calls throw its error. */
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
        // After a failed sync the system may drop the unwritten pages, so that a second sync would succeed wrongly.
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

/** Appends to a file of this size. Throws if the file was removed from its folder. */
function writeAll(fd: number, bytes: Uint8Array, size: number): void {
  try {
    // A disk that fills up writes only a part at first.
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
    if (fstatSync(fd).nlink === 0) throw Object.assign(new Error('the file was removed'), { code: 'ENOENT' })
  } catch (error) {
    cutOff(fd, size)
    throw error
  }
}

/** Removes the part of a batch that a failed write has left. If that fails, too, the next open removes it. */
function cutOff(fd: number, size: number): void {
  try {
    ftruncateSync(fd, size)
  } catch {}
}

function truncateTornLine(fd: number): number {
  const whole = wholeBytes(fd)
  if (whole < fstatSync(fd).size) ftruncateSync(fd, whole)
  return whole
}

/** Holds records back until the steps of their trials are durable, which takes `restMs` after the last step at most. */
export function holdRecords(
  steps: LineFile,
  records: LineFile,
  restMs: number,
): { add(text: string): void; release(): void } {
  // Keyed by the sync that the records wait for.
  const held = new Map<Promise<void>, string[]>()
  const release = (durable: Promise<void>) => {
    for (const text of held.get(durable) ?? []) records.append(text)
    held.delete(durable)
    records.flush()
  }
  return {
    add(text) {
      const durable = steps.sync(restMs)
      const others = held.get(durable)
      if (others) others.push(text)
      else {
        held.set(durable, [text])
        // The file reports its own write errors.
        durable.then(() => release(durable)).catch(() => {})
      }
    },
    release() {
      for (const durable of [...held.keys()]) release(durable)
    },
  }
}
