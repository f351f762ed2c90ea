import { constants, isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { UserError } from '../errors.ts'

/** How many bytes are read at once. */
export const chunkBytes = 256 * 1024
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

/** Whole lines that stand in memory together, until the next are asked for: from the first byte on, without a gap. */
export interface LineBlock {
  bytes: Buffer
  /** Another number for other content of `bytes`. */
  content: number
  /** How many lines, and where the newline of each stands. */
  count: number
  ends: Int32Array
  /** Of the first: its number, from 1, and its place in the file. */
  number: number
  offset: number
  /** Whether all of them are text. */
  isText: boolean
  /** Of each line that is long enough for it the sum that a record's seal should bear, where somebody has worked that out. */
  sums?: Int32Array
}

/** A line's number, from 1, and its place in the file. */
export type LineStart = Pick<LineBlock, 'number' | 'offset'>

/** The bytes of a line, until the next one is asked for. */
export interface LineBytes {
  bytes: Buffer
  start: number
  /** Of its newline. */
  end: number
  /** Another number for other content of `bytes`. */
  content: number
  /** From 1. */
  number: number
  /** Of `start` in the file. */
  offset: number
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
  for (const line of readLineBytes(path)) yield lineOf(line)
}

/** A line that keeps. */
export function lineOf({ bytes, start, end, number, offset }: LineBytes): Line {
  return { text: bytes.toString('utf8', start, end), number, offset, length: end - start }
}

/** The same lines as bytes; one object serves them all. */
export function readLineBytes(path: string): Generator<LineBytes> {
  return linesOf(readLineBlocks(path), path)
}

/** The lines of blocks of a file, one by one; one object serves them all. Throws `UserError` for a line that is no text. */
export function* linesOf(blocks: Iterable<LineBlock>, path: string): Generator<LineBytes> {
  const line = emptyLine()
  for (const block of blocks)
    for (let index = 0; index < block.count; index++) {
      goTo(line, block, index, path)
      yield line
    }
}

/** A line to go from place to place with. */
export function emptyLine(): LineBytes {
  return { bytes: Buffer.alloc(0), start: 0, end: 0, content: 0, number: 0, offset: 0 }
}

/** Makes it this line of a block. Throws `UserError` for a line that is no text; `path` names the file. */
export function goTo(line: LineBytes, block: LineBlock, index: number, path: string): void {
  const start = index === 0 ? 0 : (block.ends[index - 1] as number) + 1
  line.bytes = block.bytes
  line.content = block.content
  line.start = start
  line.end = block.ends[index] as number
  line.number = block.number + index
  line.offset = block.offset + start
  if (!block.isText && !isUtf8(block.bytes.subarray(start, line.end)))
    throw unreadable(`${path}:${line.number}`, notText)
}

/** The same lines, as many at a time as came in one read; one object serves them all. */
export function* readLineBlocks(path: string): Generator<LineBlock> {
  const fd = openLines(path)
  if (fd === undefined) return
  try {
    yield* readBlocks(fd, path)
  } finally {
    closeSync(fd)
  }
}

/** Opens a file of lines; undefined: there is none. Throws `UserError` for a folder. */
export function openLines(path: string): number | undefined {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  if (!fstatSync(fd).isDirectory()) return fd
  closeSync(fd)
  throw new UserError({ where: path, ...folderInPlace })
}

/** The lines of an open file: from one on, or else from where the file was read to before. */
export function* readBlocks(fd: number, path: string, from?: LineStart): Generator<LineBlock> {
  let bytes = Buffer.allocUnsafe(chunkBytes)
  // The beginning of a line that goes on in the next chunk; of a long line it grows.
  let held = 0
  const block: LineBlock = {
    bytes,
    content: 0,
    count: 0,
    ends: new Int32Array(1024),
    number: from?.number ?? 1,
    offset: from?.offset ?? 0,
    isText: true,
  }
  for (;;) {
    if (held === bytes.length) {
      if (held > longestLine)
        throw unreadable(`${path}:${block.number}`, 'is longer than any that bench writes')
      bytes = Buffer.concat([bytes], 2 * held)
    }
    const read = readSync(fd, bytes, held, bytes.length - held, from ? block.offset + held : null)
    if (read === 0) return
    const last = bytes.lastIndexOf(newline, held + read - 1)
    const hasLine = last >= held
    held += read
    if (!hasLine) continue
    block.isText = isUtf8(bytes.subarray(0, last))
    block.bytes = bytes
    block.content = block.number
    block.count = 0
    const start = last + 1
    for (let end = -1; end < last; ) {
      end = bytes.indexOf(newline, end + 1)
      if (block.count === block.ends.length) block.ends = withRoom(block.ends)
      block.ends[block.count++] = end
    }
    yield block
    block.number += block.count
    block.offset += start
    bytes.copyWithin(0, start, held)
    held -= start
  }
}

function withRoom(numbers: Int32Array): Int32Array {
  const more = new Int32Array(2 * numbers.length)
  more.set(numbers)
  return more
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
      if (!isUtf8(bytes)) throw unreadable(path, notText)
      return bytes.toString('utf8')
    },
    close: () => closeSync(fd),
  }
}

const notText = 'is no text: it holds bytes that are not UTF-8'

const unreadable = (where: string, what: string) =>
  new UserError({ where, what, fix: 'Remove the line from the run folder; what it stood for is done again.' })
