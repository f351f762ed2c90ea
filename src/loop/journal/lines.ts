import { constants, isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { UserError } from '../../text/errors.ts'

const chunkBytes = 256 * 1024
const newline = 0x0a
// Node cannot hold a longer string than `MAX_STRING_LENGTH`.
const longestLine = constants.MAX_STRING_LENGTH / 2

/** The place of a line in its file. */
export interface LineSpan {
  /** From 1. */
  number: number
  offset: number
  /** Bytes, without the newline. */
  length: number
}

/** One line of a file: its text and its place. */
export interface Line extends LineSpan {
  text: string
}

/** One line of a file as it stands there. The bytes are valid until the next line is read. */
export interface RawLine extends LineSpan {
  bytes: Buffer
}

/** The problem of a folder at the path of a file. */
export const folderProblem = {
  what: 'is a folder, but bench expects a file of the run here',
  fix: 'Restore the file. Without a copy of it, remove the folder: bench repeats the work that the file recorded.',
}

/** Reads a file line by line like `readRawLines`, as text. */
export function* readLines(path: string): Generator<Line> {
  for (const { bytes, number, offset, length } of readRawLines(path))
    yield { text: bytes.toString(), number, offset, length }
}

/**
 * Reads a file line by line, one chunk at a time. A last line without a newline is incomplete and is left out. Throws
 * `UserError` for a line that is not UTF-8 text.
 */
export function* readRawLines(path: string): Generator<RawLine> {
  const fd = openLines(path)
  if (fd === undefined) return
  try {
    let chunk = Buffer.allocUnsafe(chunkBytes)
    // Length of the incomplete line at the start of the chunk.
    let held = 0
    let number = 1
    let offset = 0
    for (;;) {
      if (held === chunk.length) {
        if (held > longestLine)
          throw unreadable(`${path}:${number}`, 'is longer than any line that bench writes')
        chunk = Buffer.concat([chunk], 2 * held)
      }
      const read = readSync(fd, chunk, held, chunk.length - held, null)
      if (read === 0) return
      const filled = chunk.subarray(0, held + read)
      let start = 0
      for (let end = filled.indexOf(newline, held); end >= 0; end = filled.indexOf(newline, start)) {
        const bytes = filled.subarray(start, end)
        if (!isUtf8(bytes)) throw unreadable(`${path}:${number}`, notText)
        yield { bytes, number, offset, length: bytes.length }
        number++
        offset += bytes.length + 1
        start = end + 1
      }
      chunk.copyWithin(0, start, filled.length)
      held = filled.length - start
    }
  } finally {
    closeSync(fd)
  }
}

/** Returns the bytes of an open file up to the end of its last whole line; the next writer removes the rest. */
export function wholeBytes(file: number): number {
  let end = fstatSync(file).size
  const block = Buffer.alloc(Math.min(end, chunkBytes))
  while (end > 0) {
    const start = Math.max(0, end - block.length)
    const last = block.subarray(0, readSync(file, block, 0, end - start, start)).lastIndexOf(newline)
    if (last >= 0) return start + last + 1
    end = start
  }
  return 0
}

/** Returns the size of a file, and its bytes up to the end of its last whole line; both are 0 if there is no file. */
export function sizesOf(path: string): { size: number; whole: number } {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return { size, whole: 0 }
  const file = openSync(path, 'r')
  try {
    return { size, whole: wholeBytes(file) }
  } finally {
    closeSync(file)
  }
}

/** Throws `UserError` for a pipe, a socket or a device in the place of a file: whoever reads it may wait for ever. */
export function refuseSpecialFile(path: string): void {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat || stat.isFile() || stat.isDirectory()) return
  throw new UserError({
    where: path,
    what: 'is a pipe, a socket or a device, but bench expects a file of the run here',
    fix: 'Put the file that bench wrote in its place.',
  })
}

/** Opens a file; undefined if there is none. Throws `UserError` for a folder, and for what is no file. */
function openLines(path: string): number | undefined {
  refuseSpecialFile(path)
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  if (!fstatSync(fd).isDirectory()) return fd
  closeSync(fd)
  throw new UserError({ where: path, ...folderProblem })
}

/** Opens a file to read single lines by offset and length. */
export function openLineReader(path: string): {
  read(offset: number, length: number): string
  close(): void
} {
  const fd = openSync(path, 'r')
  return {
    read(offset, length) {
      const bytes = Buffer.allocUnsafe(length)
      readSync(fd, bytes, 0, length, offset)
      if (!isUtf8(bytes)) throw unreadable(path, notText)
      return bytes.toString()
    },
    close: () => closeSync(fd),
  }
}

const notText = 'is not text: it holds bytes that are not UTF-8'

const unreadable = (where: string, what: string) =>
  new UserError({
    where,
    what,
    fix: 'Remove the line from the run folder; bench repeats the work that it recorded.',
  })
