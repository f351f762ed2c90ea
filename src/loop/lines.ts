import { closeSync, openSync, readSync } from 'node:fs'

const chunkBytes = 256 * 1024
const newline = 0x0a

/** One line of a file: its text and where it stands. */
export interface Line {
  text: string
  offset: number
  /** Bytes, without the newline. */
  length: number
}

/** Reads a file line by line, holding one chunk at a time. A last line without its newline is torn and left out. */
export function* readLines(path: string): Generator<Line> {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes)
    let rest: Buffer = Buffer.alloc(0)
    let offset = 0
    for (;;) {
      const read = readSync(fd, chunk, 0, chunkBytes, null)
      if (read === 0) return
      const data =
        rest.length === 0 ? chunk.subarray(0, read) : Buffer.concat([rest, chunk.subarray(0, read)])
      let start = 0
      for (let end = data.indexOf(newline); end >= 0; end = data.indexOf(newline, start)) {
        yield { text: data.toString('utf8', start, end), offset: offset + start, length: end - start }
        start = end + 1
      }
      offset += start
      rest = Buffer.from(data.subarray(start))
    }
  } finally {
    closeSync(fd)
  }
}

/** Reads single lines again by where they stand. */
export function openLineReader(path: string): {
  read(offset: number, length: number): string
  close(): void
} {
  const fd = openSync(path, 'r')
  return {
    read(offset, length) {
      const bytes = Buffer.allocUnsafe(length)
      readSync(fd, bytes, 0, length, offset)
      return bytes.toString('utf8')
    },
    close: () => closeSync(fd),
  }
}
