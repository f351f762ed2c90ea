import {
  closeSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'

const batchBytes = 64 * 1024

/** An append-only file of lines. Free lines wait in a batch of at most 64 KiB; `sync` makes all of it durable. */
export interface LineFile {
  /** Takes one line of JSON without its newline. Writes the batch when it is full, which is all the back-pressure there is. */
  append(line: string): void
  flush(): void
  /** Resolves when all lines appended before the call are on the disk. Concurrent callers share one fdatasync. */
  sync(): Promise<void>
  close(): void
}

/**
 * Opens for appending and repairs a torn last line, which a crash can leave: glued to the next, it would lose both.
 * `beforeWrite` runs before each batch reaches the file.
 */
export function openLineFile(path: string, beforeWrite?: () => void): LineFile {
  const fd = openSync(path, 'a+')
  truncateTornLine(fd)
  let batch = ''
  let dirty = false
  let running: Promise<void> = Promise.resolve()
  let queued: Promise<void> | undefined

  const flush = () => {
    if (batch === '') return
    beforeWrite?.()
    const text = batch
    batch = ''
    dirty = true
    // Node encodes as it writes; only a short write, which a full disk can cause, needs the bytes themselves.
    const written = writeSync(fd, text)
    const length = Buffer.byteLength(text)
    if (written === length) return
    const bytes = Buffer.from(text)
    for (let at = written; at < length; ) at += writeSync(fd, bytes, at)
  }
  const syncNow = () => {
    flush()
    if (!dirty) return Promise.resolve()
    dirty = false
    return new Promise<void>((resolve, reject) => {
      fdatasync(fd, (error) => {
        if (!error) return resolve()
        dirty = true
        reject(error)
      })
    })
  }

  return {
    append(line) {
      batch += line
      batch += '\n'
      if (batch.length >= batchBytes) flush()
    },
    flush,
    sync() {
      // A sync under way may have begun before this caller's line was written: the next one covers all that wait now.
      queued ??= running
        .catch(() => {})
        .then(() => {
          queued = undefined
          running = syncNow()
          return running
        })
      return queued
    },
    close() {
      flush()
      closeSync(fd)
    },
  }
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

function truncateTornLine(fd: number): void {
  const { size } = fstatSync(fd)
  const chunk = Buffer.alloc(Math.min(size, batchBytes))
  let end = size
  while (end > 0) {
    const start = Math.max(0, end - chunk.length)
    const length = readSync(fd, chunk, 0, end - start, start)
    const newline = chunk.lastIndexOf(0x0a, length - 1)
    if (newline >= 0) {
      if (start + newline + 1 < size) ftruncateSync(fd, start + newline + 1)
      return
    }
    end = start
  }
  if (size > 0) ftruncateSync(fd, 0)
}
