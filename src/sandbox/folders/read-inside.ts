import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { type FolderHandle, openFolderHandle } from './folder-handle.ts'

/**
 * Reads a text file in a folder that a program may change meanwhile, by a path without `..`. No link in the path is followed. Returns
 * its content, or the reason why it is not read, as a phrase about the file.
 */
export function readInside(folder: string, path: string, maxBytes: number): PlainText {
  const names = path.split('/')
  const last = names.pop() ?? ''
  let handle: FolderHandle | undefined
  try {
    handle = openFolderHandle(folder)
    for (const name of names) {
      const outer: FolderHandle = handle
      handle = openFolderHandle(outer.at(name))
      outer.release()
    }
    return readPlainText(handle.at(last), maxBytes)
  } catch (error) {
    return { reason: `cannot be read (${(error as NodeJS.ErrnoException).code})` }
  } finally {
    handle?.release()
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type PlainText = { content: string; size: number; reason?: undefined } | { reason: string }

/** Reads a regular text file without following links or blocking on pipes. Returns its content, or the reason why it is not read. */
export function readPlainText(path: string | Buffer, maxBytes: number): PlainText {
  let fd: number
  try {
    // Opening a pipe would block, and a file may have become a link since the folder was listed.
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    return { reason: `cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) return { reason: 'is no plain file' }
    // A hard link could expose a file that the agent itself cannot read.
    if (stat.nlink > 1) return { reason: 'is a hard link' }
    if (stat.size > maxBytes) return { reason: `is larger than ${maxBytes} bytes` }
    const bytes = readAtMost(fd, stat.size, maxBytes)
    if (!bytes) return { reason: `is larger than ${maxBytes} bytes` }
    return { content: decoder.decode(bytes), size: bytes.length }
  } catch {
    return { reason: 'is no UTF-8 text' }
  } finally {
    closeSync(fd)
  }
}

/** Reads a file to its end; undefined if it is longer than `maxBytes`. Files in `/proc` report a size of 0 and may be endless. */
function readAtMost(fd: number, size: number, maxBytes: number): Buffer | undefined {
  let bytes = Buffer.allocUnsafe(Math.min(size, maxBytes) + 1)
  let length = 0
  for (;;) {
    const read = readSync(fd, bytes, length, bytes.length - length, null)
    if (read === 0) return bytes.subarray(0, length)
    length += read
    if (length > maxBytes) return undefined
    if (length === bytes.length) bytes = Buffer.concat([bytes], Math.min(2 * length + 4096, maxBytes + 1))
  }
}
