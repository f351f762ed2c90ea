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
import { type StorageError, UserError } from '../errors.ts'
import { folderInPlace } from './lines.ts'
import { storageError, storing } from './storage.ts'

const batchBytes = 64 * 1024
const newline = 0x0a

/** The most bytes that UTF-8 needs for one unit of a text's length. */
const bytesPerUnit = 3

const noEnd: readonly string[] = []

/**
 * Node's types leave it out, but 20 to 24 have it: `write` without the check of where to write, which is called with a list of
 * arguments and costs as much as a line.
 */
interface Batch extends Buffer {
  utf8Write?(text: string, offset: number, length: number): number
}

/** An append-only file of lines. Free lines wait in a batch of at most 64 KiB; `sync` makes all of it durable. */
export interface LineFile {
  /**
   * Takes one line of JSON without its newline. Writes the batch when it is full, which is all the back-pressure there is.
   * `end`: what the line ends with, in short parts of ASCII; V8 would copy the line if they were put to it as text.
   */
  append(line: string, end?: readonly string[]): void
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
  mayWrite?: (() => void) | undefined
  /** Told once, when the file system has failed: from then on every call throws that error. */
  onBroken?: ((error: StorageError) => void) | undefined
}

/**
 * Opens for appending and repairs a torn last line, which a crash can leave: glued to the next, it would lose both.
 * A batch is written whole or not at all, and nothing after one that failed: a line can be missing at the end alone.
 */
export function openLineFile(path: string, events: LineFileEvents = {}): LineFile {
  const { beforeWrite, afterWrite, mayWrite, onBroken } = events
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError({ where: path, ...folderInPlace })
  const fd = storing(path, () => openSync(path, 'a+'))
  let size = truncateTornLine(fd)
  // Lines become bytes as they come: a text that grows would be copied, measured and encoded again as a whole.
  const batch = Buffer.allocUnsafe(batchBytes) as Batch
  let filled = 0
  let dirty = false
  let broken: StorageError | undefined
  let running: Promise<void> = Promise.resolve()
  let queued: { done: Promise<void>; gathering: Gathering } | undefined
  let isSyncing = false
  let closed = false

  const fail = (error: unknown) => {
    broken = storageError(path, error)
    onBroken?.(broken)
    return broken
  }
  const write = (bytes: Uint8Array) => {
    try {
      mayWrite?.()
    } catch (error) {
      throw fail(error)
    }
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
    if (filled > 0) beforeWrite?.()
    if (filled === 0) return
    write(batch.subarray(0, filled))
    filled = 0
    afterWrite?.()
  }
  const writeLong = (line: string) => {
    beforeWrite?.()
    flush()
    write(Buffer.from(`${line}\n`))
    afterWrite?.()
  }
  const syncNow = () => {
    if (closed) return Promise.resolve()
    flush()
    if (!dirty) return Promise.resolve()
    dirty = false
    isSyncing = true
    return new Promise<void>((resolve, reject) => {
      // After a failed sync the system may forget what it could not write, so that a second one would lie.
      fdatasync(fd, (error) => {
        isSyncing = false
        return error && !closed ? reject(fail(error)) : resolve()
      })
    })
  }
  const queue = () => {
    const gathering = gather()
    const done = gathering.over
      .then(() => running.catch(() => {}))
      .then(() => {
        queued = undefined
        running = syncNow()
        return running
      })
    return { done, gathering }
  }

  return {
    append(line, end = noEnd) {
      if (broken) throw broken
      let most = line.length * bytesPerUnit + 1
      // Counted: iterators over these are a fiftieth of what a trial of a dry run allocates.
      for (let place = 0; place < end.length; place++) most += (end[place] as string).length
      if (most > batchBytes) return writeLong(line + end.join(''))
      if (filled + most > batchBytes) flush()
      filled += batch.utf8Write?.(line, filled, batchBytes - filled) ?? batch.write(line, filled)
      for (let place = 0; place < end.length; place++) {
        const part = end[place] as string
        for (let index = 0; index < part.length; index++) batch[filled++] = part.charCodeAt(index)
      }
      batch[filled++] = newline
    },
    flush,
    sync(patienceMs = 0) {
      // A sync under way may have begun before this caller's line was written: the next one covers all that wait now.
      queued ??= queue()
      queued.gathering.endWithin(patienceMs)
      return queued.done
    },
    close() {
      try {
        flush()
        // Whoever still waits for it may lean on it now.
        if (queued || isSyncing) fdatasyncSync(fd)
      } catch (error) {
        throw broken ?? fail(error)
      } finally {
        closed = true
        queued?.gathering.endWithin(0)
        closeSync(fd)
      }
    },
  }
}

/** A wait for others that may come; whoever has less patience brings its end forward. */
interface Gathering {
  over: Promise<void>
  endWithin(ms: number): void
}

function gather(): Gathering {
  let end = () => {}
  let endsAt = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  return {
    over,
    endWithin(ms) {
      const at = performance.now() + ms
      if (at >= endsAt) return
      endsAt = at
      clearTimeout(timer)
      if (ms > 0) timer = setTimeout(end, ms)
      else end()
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
