import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type FolderHandle, listEntries, openFolderHandle } from '../../sandbox/folders/folder-handle.ts'
import { folderPrefix } from '../../sandbox/folders/folder-owner.ts'
import { invalidPathReason } from '../../sandbox/folders/paths.ts'
import { removeTreeAsync } from '../../sandbox/folders/remove-tree.ts'
import type { Rejected } from '../../schema/method/change.ts'
import type { Files } from '../../schema/task.ts'
import { largest, madePathProblem } from './file-blocks.ts'

/** Folders that tools make beside the work; never part of a change set. */
const leftOut = new Set(['.git', 'node_modules', '__pycache__'])

/** What a folder holds: its text files, what was refused of it and why, and the folders that were not looked into. */
interface ReadFolder {
  files: Files
  skipped: Rejected[]
  /** Their files are as they were before, whatever stands in them now; `.` is all of it. */
  unread: string[]
}

/** A full private copy of files in a folder of its own: copies, never links, which would leak between trials. */
export function materialise(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), folderPrefix()))
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
  }
  return folder
}

/**
 * Text files of a folder in which someone worked who need not mean well. No link is followed, be it the folder itself,
 * nothing but plain files is opened, and there is a limit to all of it.
 */
export function readFolder(folder: string, most = largest): ReadFolder {
  const files: Record<string, string> = {}
  const skipped: Rejected[] = []
  const unread: string[] = []
  let count = 0
  let bytes = 0
  const visit = (held: FolderHandle, relative: string) => {
    for (const { entry, name, place } of named(held)) {
      const path = relative === '' ? name : `${relative}/${name}`
      const isFolder = entry.isDirectory()
      if (isFolder && leftOut.has(name)) {
        unread.push(path)
        continue
      }
      const refuse = (reason: string) => {
        skipped.push({ path, reason })
        if (isFolder) unread.push(path)
      }
      // Two names that are no text could be read as one.
      const problem = isText(name, entry) ? madePathProblem(path) : invalidPathReason
      if (problem !== undefined) refuse(problem)
      else if (count >= most.files) refuse(`comes after ${most.files} others`)
      else if (bytes >= most.bytes) refuse(`comes after ${most.bytes} bytes of others`)
      else if (isFolder) {
        count++
        const reason = within(place, (inner) => {
          // A run of bench's own is no part of the work, least of all the one that is about to begin.
          if (isThere(inner.at('run.json'))) unread.push(path)
          else visit(inner, path)
        })
        if (reason !== undefined) refuse(reason)
      } else if (entry.isSymbolicLink()) refuse('is a symbolic link')
      else if (!entry.isFile()) refuse('is no plain file')
      else {
        count++
        const text = readPlain(place, most.fileBytes)
        if (text.reason !== undefined) refuse(text.reason)
        else {
          bytes += text.size
          files[path] = text.content
        }
      }
    }
  }
  const reason = within(folder, (held) => visit(held, ''))
  return reason === undefined
    ? { files, skipped, unread }
    : { files: {}, skipped: [{ path: '.', reason }], unread: ['.'] }
}

/** Does something in a folder; gives why not where it is none, or closed to us. */
function within(path: string | Buffer, deed: (held: FolderHandle) => void): string | undefined {
  let held: FolderHandle | undefined
  try {
    held = openFolderHandle(path)
    deed(held)
    return undefined
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code})`
  } finally {
    held?.release()
  }
}

const isText = (name: string, entry: Dirent<Buffer>) => Buffer.from(name).equals(entry.name)
const isThere = (path: Buffer) => lstatSync(path, { throwIfNoEntry: false }) !== undefined

interface Named {
  entry: Dirent<Buffer>
  /** A name that is no text is told as far as it is one. */
  name: string
  place: Buffer
}

const named = (held: FolderHandle): Named[] =>
  listEntries(held)
    .map((entry) => ({ entry, name: entry.name.toString(), place: held.at(entry.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type PlainText = { content: string; size: number; reason?: undefined } | { reason: string }

/** A plain text file's content, never through a link and never waiting; else why it is not read. */
export function readPlain(path: string | Buffer, mostBytes: number): PlainText {
  let fd: number
  try {
    // A pipe would be waited for, and a link put here since the folder was listed would be followed.
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    return { reason: `cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) return { reason: 'is no plain file' }
    // A second name of a file elsewhere would hand in what the agent could not read.
    if (stat.nlink > 1) return { reason: 'is a hard link' }
    if (stat.size > mostBytes) return { reason: `is larger than ${mostBytes} bytes` }
    const bytes = readAtMost(fd, stat.size, mostBytes)
    if (!bytes) return { reason: `is larger than ${mostBytes} bytes` }
    return { content: decoder.decode(bytes), size: bytes.length }
  } catch {
    return { reason: 'is no UTF-8 text' }
  } finally {
    closeSync(fd)
  }
}

/** Reads a file to its end; undefined where that is further than `mostBytes`. Files of a kernel, as in `/proc`, tell a size of 0 and may have no end. */
function readAtMost(fd: number, size: number, mostBytes: number): Buffer | undefined {
  let bytes = Buffer.allocUnsafe(Math.min(size, mostBytes) + 1)
  let length = 0
  for (;;) {
    const read = readSync(fd, bytes, length, bytes.length - length, null)
    if (read === 0) return bytes.subarray(0, length)
    length += read
    if (length > mostBytes) return undefined
    if (length === bytes.length) bytes = Buffer.concat([bytes], Math.min(2 * length + 4096, mostBytes + 1))
  }
}

/** Removes a folder and all in it; none is no error. What cannot be removed stays: failing the trial for it would let an agent turn its failure into an error of ours. */
export async function removeFolder(folder: string): Promise<void> {
  await removeTreeAsync(folder)
}
