import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

/** The file without a name that one stream of a program is written to. Unlike a pipe, nothing waits for the processes that hold it open. */
export interface OutputFile {
  /** File descriptor for the program's stdio. */
  fd: number
  /** Returns the number of bytes written so far. */
  size(): number
  /**
   * Returns at most `maxBytes`: the first three quarters and the last quarter, since reports and error messages come last.
   * Bytes that are not UTF-8 become replacement characters.
   */
  text(maxBytes: number): string
  /** Freezes `size()` at its current value. */
  finish(): void
  close(): void
}

/** Creates a file for output in a folder and unlinks it, so that it disappears when its last descriptor is closed. */
export function createOutputFile(folder: string, name: string): OutputFile {
  const path = join(folder, name)
  const fd = openSync(path, 'ax+', 0o600)
  unlinkSync(path)
  let last: number | undefined
  const size = () => last ?? fstatSync(fd).size
  const read = (from: number, length: number) => {
    if (length === 0) return ''
    const bytes = Buffer.alloc(length)
    let filled = 0
    while (filled < length) {
      const count = readSync(fd, bytes, filled, length - filled, from + filled)
      if (count === 0) break
      filled += count
    }
    return bytes.toString('utf8', 0, filled)
  }
  return {
    fd,
    size,
    text(maxBytes) {
      const total = size()
      if (total <= maxBytes) return read(0, total)
      const head = Math.ceil((maxBytes * 3) / 4)
      const tail = maxBytes - head
      return `${read(0, head)}\n[output cut]\n${read(total - tail, tail)}`
    },
    finish() {
      last = size()
    },
    close: () => closeSync(fd),
  }
}

/** A command is ended when it has printed this many times the output that is kept. */
export const floodFactor = 64
