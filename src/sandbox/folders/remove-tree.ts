import { randomUUID } from 'node:crypto'
import { lstatSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { type FolderHandle, listEntries, openFolderHandle, restoreOwnerAccess } from './folder-handle.ts'

/**
 * Removes a path with all its contents, whatever their depth and permissions. Does not follow links. Returns whether nothing is
 * left.
 */
export function removeTree(path: string | Buffer): boolean {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // A path is too long, or a folder lacks permissions.
    for (const _ of removeSteps(path));
  }
  return isGone(path)
}

/** The longest time without yielding to the event loop; ms. */
const sliceMs = 50

/** Removes a folder of any size like `removeTree`, and yields to the event loop, so that other trials go on. */
export async function removeTreeAsync(path: string): Promise<boolean> {
  let begun = performance.now()
  for (const _ of removeSteps(path)) {
    if (performance.now() - begun < sliceMs) continue
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

/** Moves each inner folder up to the outermost before emptying it, so that no path is longer than two names. */
function* removeSteps(path: string | Buffer): Generator<void> {
  const base = tryOpen(path)
  if (!base) {
    ignoreFailure(() => unlinkSync(path))
    return
  }
  try {
    const lift = liftTo(base)
    const waiting: Buffer[] = []
    yield* empty(base, (name) => waiting.push(base.at(name)))
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const folder = tryOpen(next)
      if (!folder) continue
      try {
        yield* empty(folder, (name) => waiting.push(lift(folder, name)))
      } finally {
        folder.release()
      }
      const emptied = next
      ignoreFailure(() => rmdirSync(emptied))
    }
  } finally {
    base.release()
  }
  ignoreFailure(() => rmdirSync(path))
}

function tryOpen(path: string | Buffer): FolderHandle | undefined {
  try {
    return openFolderHandle(path)
  } catch {
    return undefined
  }
}

function liftTo(base: FolderHandle): (from: FolderHandle, name: Buffer) => Buffer {
  const mark = randomUUID()
  let lifted = 0
  return (from, name) => {
    const target = base.at(`${mark}-${lifted++}`)
    // A rename writes to the moved folder (its `..`), so it must be writable.
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

function* empty(folder: FolderHandle, onFolder: (name: Buffer) => void): Generator<void> {
  ignoreFailure(() => restoreOwnerAccess(folder))
  for (const entry of tryListEntries(folder)) {
    const path = folder.at(entry.name)
    const isRemoved = ignoreFailure(() => (entry.isDirectory() ? rmdirSync(path) : unlinkSync(path)))
    if (!isRemoved) ignoreFailure(() => onFolder(entry.name))
    yield
  }
}

function tryListEntries(folder: FolderHandle) {
  try {
    return listEntries(folder)
  } catch {
    return []
  }
}

/** Ignores errors: what cannot be removed stays, and the rest is still removed. */
function ignoreFailure(action: () => void): boolean {
  try {
    action()
    return true
  } catch {
    return false
  }
}
