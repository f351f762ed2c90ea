import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { LineSpan } from '../../loop/journal/lines.ts'

interface Follower {
  /** The file is another one, or shorter than it was: its lines follow from the beginning. */
  anew(): void
  /** A whole line; the bytes are valid during the call. */
  line(bytes: Buffer, at: LineSpan): void
}

const newline = 0x0a
const chunkBytes = 1024 * 1024

/**
 * Follows a file of lines by its bytes. Each call of the returned function hands on the whole lines that are new since the last call,
 * and returns why the file cannot be read; undefined if it can be, or is missing. A link is not followed: it could lead out of the run.
 */
export function followLines(path: string, follower: Follower): () => Promise<string | undefined> {
  let [offset, number, identity] = [0, 1, '']
  const begin = (name: string) => {
    if (identity !== '') follower.anew()
    ;[offset, number, identity] = [0, 1, name]
  }
  return async () => {
    let file: FileHandle
    try {
      // A named pipe must not be waited for.
      file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      begin('')
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
      return code === 'ELOOP'
        ? `${basename(path)} is a link, which is not followed`
        : `${basename(path)} cannot be read (${code})`
    }
    try {
      const stat = await file.stat()
      if (!stat.isFile()) return `${basename(path)} is not a file`
      // A file that was renamed to this name may have the number of one that it replaced before.
      const name = `${stat.dev} ${stat.ino} ${stat.birthtimeMs}`
      if (name !== identity || stat.size < offset) begin(name)
      const read = await readLines(file, offset, number, follower)
      ;[offset, number] = [read.offset, read.number]
      return undefined
    } finally {
      await file.close()
    }
  }
}

/** Hands on the whole lines from a byte on, and returns where the next one begins. */
async function readLines(file: FileHandle, from: number, first: number, follower: Follower) {
  let [offset, number] = [from, first]
  let chunk = Buffer.allocUnsafe(chunkBytes)
  // Bytes of the incomplete line at the start of the chunk.
  let held = 0
  for (;;) {
    if (held === chunk.length) chunk = Buffer.concat([chunk], 2 * held)
    const { bytesRead } = await file.read(chunk, held, chunk.length - held, offset + held)
    if (bytesRead === 0) return { offset, number }
    const filled = chunk.subarray(0, held + bytesRead)
    let start = 0
    for (let end = filled.indexOf(newline, held); end >= 0; end = filled.indexOf(newline, start)) {
      const length = end - start
      follower.line(filled.subarray(start, end), { number, offset: offset + start, length })
      number++
      start = end + 1
    }
    chunk.copyWithin(0, start, filled.length)
    held = filled.length - start
    offset += start
  }
}
