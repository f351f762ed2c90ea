import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

/** What one stream of a program is written to: a file without a name, so that nothing waits for whoever holds it open. */
export interface OutputFile {
  /** For the program's stdio. */
  fd: number
  /** Written so far; bytes. */
  size(): number
  /**
   * At most `maxBytes`: the first three quarters and the last quarter, since reports and error messages come last.
   * Bytes that are not UTF-8 become replacement characters.
   */
  text(maxBytes: number): string
  /** Nobody writes to it any more: from now on its size is what it is now. */
  finish(): void
  close(): void
}

/** Creates a file for output in a folder and takes its name away, so that it is gone with the last who holds it. */
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

/** A command that prints this many times what is kept is ended: going on would only cost time and disk. */
export const floodFactor = 64
