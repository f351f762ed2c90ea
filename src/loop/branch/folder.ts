import { type Dirent, lstatSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type FolderHandle, listEntries, openFolderHandle } from '../../sandbox/folders/folder-handle.ts'
import { folderPrefix } from '../../sandbox/folders/folder-owner.ts'
import { invalidPathReason, newPathProblem, sizeLimits } from '../../sandbox/folders/paths.ts'
import { readPlainText } from '../../sandbox/folders/read-inside.ts'
import type { Rejected } from '../../schema/method/change.ts'
import type { Files } from '../../schema/task.ts'

/** Folders that tools create; never part of a change set. */
const ignoredFolders = new Set(['.git', 'node_modules', '__pycache__'])

interface ReadFolder {
  files: Files
  skipped: Rejected[]
  /** Files at these paths count as unchanged; `.` is the whole folder. */
  unread: string[]
}

/** Writes a private copy of files to a new temporary folder, and returns its path. Links would leak changes between trials. */
export function writePrivateCopy(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), folderPrefix()))
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
  }
  return folder
}

/**
 * Reads the text files of a folder whose content is not trusted. It follows no link, not even at the folder itself, opens only
 * regular files, and stops at `limits`.
 */
export function readFolder(folder: string, limits = sizeLimits): ReadFolder {
  const files: Record<string, string> = {}
  const skipped: Rejected[] = []
  const unread: string[] = []
  let count = 0
  let bytes = 0
  const visit = (held: FolderHandle, relative: string) => {
    for (const { entry, name, place } of orderedEntries(held)) {
      const path = relative === '' ? name : `${relative}/${name}`
      const isFolder = entry.isDirectory()
      if (isFolder && ignoredFolders.has(name)) {
        unread.push(path)
        continue
      }
      const refuse = (reason: string) => {
        skipped.push({ path, reason })
        if (isFolder) unread.push(path)
      }
      // Two names that are not valid UTF-8 could become the same text.
      const problem = isText(name, entry) ? newPathProblem(path) : invalidPathReason
      if (problem !== undefined) refuse(problem)
      else if (count >= limits.files) refuse(`comes after ${limits.files} others`)
      else if (bytes >= limits.bytes) refuse(`comes after ${limits.bytes} bytes of others`)
      else if (isFolder) {
        count++
        const reason = within(place, (inner) => {
          // A run folder of bench is not part of the work.
          if (isThere(inner.at('run.json'))) unread.push(path)
          else visit(inner, path)
        })
        if (reason !== undefined) refuse(reason)
      } else if (entry.isSymbolicLink()) refuse('is a symbolic link')
      else if (!entry.isFile()) refuse('is no plain file')
      else {
        count++
        const text = readPlainText(place, limits.fileBytes)
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

/** Opens a folder and runs `effect` in it. Returns the reason if the folder cannot be read. */
function within(path: string | Buffer, effect: (held: FolderHandle) => void): string | undefined {
  let held: FolderHandle | undefined
  try {
    held = openFolderHandle(path)
    effect(held)
    return undefined
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code})`
  } finally {
    held?.release()
  }
}

const isText = (name: string, entry: Dirent<Buffer>) => Buffer.from(name).equals(entry.name)
const isThere = (path: Buffer) => lstatSync(path, { throwIfNoEntry: false }) !== undefined

interface Entry {
  entry: Dirent<Buffer>
  /** The name as text; bytes that are not UTF-8 are replaced. */
  name: string
  place: Buffer
}

const orderedEntries = (held: FolderHandle): Entry[] =>
  listEntries(held)
    .map((entry) => ({ entry, name: entry.name.toString(), place: held.at(entry.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
