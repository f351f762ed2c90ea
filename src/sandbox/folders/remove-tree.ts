import { randomUUID } from 'node:crypto'
import { lstatSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { type FolderHandle, listEntries, openFolderHandle, restoreOwnerAccess } from './folder-handle.ts'

/**
 * Removes a folder, or whatever stands at a path, with all in it and nothing that it links to, however deep it is and
 * whatever permissions were taken away. Gives whether nothing is left.
 */
export function removeTree(path: string | Buffer): boolean {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Its paths are too long, or closed.
    for (const _ of removing(path));
  }
  return isGone(path)
}

/** How long others wait at most while a large folder is removed; ms. */
const turn = 50

/** The same for a folder of any size: a program may leave in a minute what takes as long to remove, and other trials go on meanwhile. */
export async function removeTreeAsync(path: string): Promise<boolean> {
  let begun = performance.now()
  for (const _ of removing(path)) {
    if (performance.now() - begun < turn) continue
    await setImmediate()
    begun = performance.now()
  }
  return isGone(path)
}

function isGone(path: string | Buffer): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

/** Brings each inner folder up to the outermost before it is emptied, so that no path is longer than two names. */
function* removing(path: string | Buffer): Generator<void> {
  const base = held(path)
  if (!base) {
    attempt(() => unlinkSync(path))
    return
  }
  try {
    const lift = liftTo(base)
    const waiting: Buffer[] = []
    yield* empty(base, (name) => waiting.push(base.at(name)))
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const folder = held(next)
      if (!folder) continue
      try {
        yield* empty(folder, (name) => waiting.push(lift(folder, name)))
      } finally {
        folder.release()
      }
      const emptied = next
      attempt(() => rmdirSync(emptied))
    }
  } finally {
    base.release()
  }
  attempt(() => rmdirSync(path))
}

/** A folder; undefined where there is none at the path. */
function held(path: string | Buffer): FolderHandle | undefined {
  try {
    return openFolderHandle(path)
  } catch {
    return undefined
  }
}

/** Moves a folder out of the one that it stands in; gives its new path. */
function liftTo(base: FolderHandle): (from: FolderHandle, name: Buffer) => Buffer {
  const mark = randomUUID()
  let lifted = 0
  return (from, name) => {
    const target = base.at(`${mark}-${lifted++}`)
    // What is moved is changed: it names its parent.
    const folder = openFolderHandle(from.at(name))
    try {
      restoreOwnerAccess(folder)
    } finally {
      folder.release()
    }
    renameSync(from.at(name), target)
    return target
  }
}

/** Removes all but folders that hold something, and tells of those. */
function* empty(folder: FolderHandle, onFolder: (name: Buffer) => void): Generator<void> {
  attempt(() => restoreOwnerAccess(folder))
  for (const entry of entriesIfOpen(folder)) {
    const path = folder.at(entry.name)
    const isRemoved = attempt(() => (entry.isDirectory() ? rmdirSync(path) : unlinkSync(path)))
    if (!isRemoved) attempt(() => onFolder(entry.name))
    yield
  }
}

function entriesIfOpen(folder: FolderHandle) {
  try {
    return listEntries(folder)
  } catch {
    return []
  }
}

/** What cannot be removed stays, and all beside it goes. */
function attempt(deed: () => void): boolean {
  try {
    deed()
    return true
  } catch {
    return false
  }
}
