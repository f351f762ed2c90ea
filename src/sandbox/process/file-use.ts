import { lstatSync, readdirSync, readlinkSync, statfsSync, statSync } from 'node:fs'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { listEntries, openFolderHandle } from '../folders/folder-handle.ts'
import type { SandboxLimits } from '../limits.ts'
import { readText } from './shared-memory.ts'

interface FileUse {
  /** On disk. */
  bytes: number
  /** Files, folders and links. */
  files: number
  /** Some of it could not be counted: in folders that the program closed to others or nested too deeply. */
  isPartial: boolean
}

type Limits = Pick<SandboxLimits, 'workspaceBytes' | 'workspaceFiles'>

function exceededBy(use: FileUse, limits: Limits): 'bytes' | 'files' | undefined {
  if (use.bytes > limits.workspaceBytes) return 'bytes'
  return use.files > limits.workspaceFiles ? 'files' : undefined
}

/** Deeper folders are not entered: each level keeps a file open. */
const mostLevels = 64

/** After so many entries, other work of this process has its turn. */
const entriesAtOnce = 500

/**
 * Counts what is in some folders, without following links, and the files that processes hold open or mapped after their removal. Stops
 * when a limit is exceeded.
 */
async function measureFiles(
  folders: readonly string[],
  processes: readonly number[],
  limits: Limits,
): Promise<FileUse> {
  const use: FileUse = { bytes: 0, files: 0, isPartial: false }
  const seen = new Set<string>()
  for (const pid of processes) addRemovedFiles(pid, use, seen)
  for (const folder of folders) await addFolder(folder, use, seen, limits, 1)
  return use
}

async function addFolder(
  path: string | Buffer,
  use: FileUse,
  seen: Set<string>,
  limits: Limits,
  level: number,
): Promise<void> {
  if (level > mostLevels) use.isPartial = true
  else
    try {
      const folder = openFolderHandle(path)
      try {
        for (const { name } of listEntries(folder)) {
          const place = folder.at(name)
          const found = lstatSync(place, { throwIfNoEntry: false })
          if (!found) continue
          addFile(found, use, seen)
          if (exceededBy(use, limits)) return
          if (use.files % entriesAtOnce === 0) await setImmediate()
          if (found.isDirectory()) await addFolder(place, use, seen, limits, level + 1)
        }
      } finally {
        folder.release()
      }
    } catch (error) {
      // Any other error: it was removed meanwhile.
      if ((error as NodeJS.ErrnoException).code === 'EACCES') use.isPartial = true
    }
}

type Found = Pick<NonNullable<ReturnType<typeof lstatSync>>, 'dev' | 'ino' | 'nlink' | 'blocks'>

/** Counts a file once, whatever its number of names. */
function addFile({ dev, ino, nlink, blocks }: Found, use: FileUse, seen: Set<string>): void {
  use.files += 1
  const key = `${dev}:${ino}`
  if (nlink !== 1 && seen.has(key)) return
  if (nlink !== 1) seen.add(key)
  use.bytes += Number(blocks) * 512
}

/** Paths of files in memory, as programs see them. Other limits count those. */
const inMemory = /^\/(tmp\/|dev\/|memfd:|SYSV)/
const removedMapping = /^\S+ \S+ \S+ \S+ (\d+) +(\/.*) \(deleted\)$/gm
const removedLink = / \(deleted\)$/

/** Adds the files that a process has removed but still holds: they take up the disk until it lets them go. */
function addRemovedFiles(pid: number, use: FileUse, seen: Set<string>): void {
  for (const fd of entriesOf(`/proc/${pid}/fd`))
    try {
      const path = `/proc/${pid}/fd/${fd}`
      const target = readlinkSync(path)
      if (!removedLink.test(target) || inMemory.test(target)) continue
      const found = statSync(path)
      if (found.isFile()) addFile(found, use, seen)
    } catch {} // closed meanwhile
  // One that is only mapped does not tell its size.
  const mappings = readText(`/proc/${pid}/maps`).matchAll(removedMapping)
  if ([...mappings].some(([, , path = '']) => !inMemory.test(path))) use.isPartial = true
}

const tmpfs = 0x01021994

/** Returns the highest number of files in a sandbox's folders in memory. Their size is limited by the kernel. */
function filesInMemory([init]: readonly number[]): number {
  const counts = ['tmp', 'dev/shm', 'sandbox'].map((name) => {
    try {
      const root = `/proc/${init}/root`
      // Until it is set up, this is the machine's root.
      if (statSync(root).dev === statSync('/').dev) return 0
      const { type, files, ffree } = statfsSync(`${root}/${name}`)
      return type === tmpfs ? files - ffree : 0
    } catch {
      return 0 // it has ended, or has no such folder
    }
  })
  return Math.max(...counts)
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // it has ended
  }
}

/** What is left of a disk, in bytes and in files; undefined if it has no size, or the folder is gone. */
function leftOn(folder: string): { bytes: number; files: number } | undefined {
  try {
    const { blocks, bfree, bsize, files, ffree } = statfsSync(folder)
    if (blocks === 0) return undefined
    return { bytes: bfree * bsize, files: files === 0 ? Number.POSITIVE_INFINITY : ffree }
  } catch {
    return undefined
  }
}

/** The highest rate at which a program fills a disk, from which the next check is scheduled; bytes per ms. */
const fastest = (2 * 1024 ** 3) / 1000
const [shortestMs, longestMs] = [20, 250]

/** Counting takes at most this part of the time, unless the disk fills. */
const partOfTime = 1 / 20

/** Watches what the files of a running command take up. */
export interface FileWatch {
  /** Counts a last time; returns the limit that is exceeded. Call it when the command has ended. */
  finish(): Promise<'bytes' | 'files' | undefined>
}

/**
 * Counts files as `measureFiles` does while a command runs, and calls `onExceeded` once if a limit is exceeded. Counts at once when
 * the disk loses space, else seldom where there are many files.
 */
export function watchFiles(
  folders: readonly string[],
  processesOf: () => readonly number[],
  limits: Limits,
  onExceeded: () => void,
): FileWatch {
  const [first = '/'] = folders
  const atStart = leftOn(first)
  const stop = new AbortController()
  let exceeded: 'bytes' | 'files' | undefined
  let use: FileUse = { bytes: 0, files: 0, isPartial: false }
  const count = async () => {
    const processes = processesOf()
    use = await measureFiles(folders, processes, limits)
    exceeded ??= exceededBy(use, limits)
    if (filesInMemory(processes) > limits.workspaceFiles) exceeded ??= 'files'
    const left = use.isPartial ? leftOn(first) : undefined
    // What cannot be counted is judged by the disk, though other programs write to it, too.
    if (left && atStart && atStart.bytes - left.bytes > limits.workspaceBytes) exceeded ??= 'bytes'
    if (left && atStart && atStart.files - left.files > limits.workspaceFiles) exceeded ??= 'files'
  }
  const watch = async () => {
    let due = 0
    let before = atStart
    while (!stop.signal.aborted) {
      const bytes = limits.workspaceBytes - use.bytes
      const pause = Math.max(shortestMs, Math.min(longestMs, bytes / fastest))
      await setTimeout(pause, undefined, { signal: stop.signal }).catch(() => {})
      const left = leftOn(first)
      const fills = before !== undefined && left !== undefined && before.bytes - left.bytes > bytes / 2
      if (stop.signal.aborted || (performance.now() < due && !fills)) continue
      const began = performance.now()
      await count()
      before = left
      due = performance.now() + (performance.now() - began) / partOfTime
      if (exceeded) return onExceeded()
    }
  }
  const watching = watch()
  return {
    async finish() {
      stop.abort()
      await watching
      if (!exceeded) await count()
      return exceeded
    },
  }
}
