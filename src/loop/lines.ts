import { constants, isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { UserError } from '../errors.ts'

const chunkBytes = 256 * 1024
const newline = 0x0a
// Node's own limit of a text is near.
const longestLine = constants.MAX_STRING_LENGTH / 2

/** One line of a file: its text and where it stands. */
export interface Line {
  text: string
  /** From 1. */
  number: number
  offset: number
  /** Bytes, without the newline. */
  length: number
}

/** What is wrong with a file of lines that is a folder. */
export const folderInPlace = {
  what: 'is a folder where a file of the run should stand',
  fix: 'Put the file back; without it, remove the folder: what the file told is done again.',
}

/**
 * Reads a file line by line, holding one chunk at a time. A last line without its newline is torn and left out. Throws
 * `UserError` for a line that is no text.
 */
export function* readLines(path: string): Generator<Line> {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  try {
    if (fstatSync(fd).isDirectory()) throw new UserError({ where: path, ...folderInPlace })
    const chunk = Buffer.allocUnsafe(chunkBytes)
    // The beginning of a line that goes on in the next chunk, in pieces: a line may be many chunks long.
    let pieces: Buffer[] = []
    let length = 0
    let offset = 0
    let number = 1
    for (;;) {
      const read = readSync(fd, chunk, 0, chunkBytes, null)
      if (read === 0) return
      let start = 0
      for (let end = chunk.indexOf(newline); end >= 0 && end < read; end = chunk.indexOf(newline, start)) {
        const last = chunk.subarray(start, end)
        length += last.length
        const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces, last], length)
        yield { text: textOf(bytes, `${path}:${number}`), number, offset, length }
        offset += length + 1
        number++
        pieces = []
        length = 0
        start = end + 1
      }
      if (start === read) continue
      pieces.push(Buffer.from(chunk.subarray(start, read)))
      length += read - start
      if (length > longestLine) throw unreadable(`${path}:${number}`, 'is longer than any that bench writes')
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
      return textOf(bytes, path)
    },
    close: () => closeSync(fd),
  }
}

function textOf(bytes: Buffer, where: string): string {
  if (!isUtf8(bytes)) throw unreadable(where, 'is no text: it holds bytes that are not UTF-8')
  return bytes.toString('utf8')
}

const unreadable = (where: string, what: string) =>
  new UserError({ where, what, fix: 'Remove the line from the run folder; what it stood for is done again.' })
