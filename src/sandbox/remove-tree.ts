import { randomUUID } from 'node:crypto'
import { lstatSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs'
import { entriesIn, type HeldFolder, holdFolder, openUp } from './held-folder.ts'

/**
 * Removes a folder, or whatever stands at a path, with all in it and nothing that it links to, however deep it is and
 * whatever permissions were taken away. Gives whether nothing is left.
 */
export function removeTree(path: string | Buffer): boolean {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Its paths are too long, or closed.
    try {
      removeFlattened(path)
    } catch {}
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
function removeFlattened(path: string | Buffer): void {
  const base = holdFolder(path)
  try {
    const lift = liftTo(base)
    const waiting = emptyInto(base, (folder, name) => folder.at(name))
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      attempt(() => {
        const folder = holdFolder(next as Buffer)
        try {
          waiting.push(...emptyInto(folder, lift))
        } finally {
          folder.release()
        }
        rmdirSync(next as Buffer)
      })
    }
  } finally {
    base.release()
  }
  rmdirSync(path)
}

/** Moves a folder out of the one that it stands in; gives its new path. */
function liftTo(base: HeldFolder): (from: HeldFolder, name: Buffer) => Buffer {
  const mark = randomUUID()
  let lifted = 0
  return (from, name) => {
    const target = base.at(`${mark}-${lifted++}`)
    // What is moved is changed: it names its parent.
    const folder = holdFolder(from.at(name))
    try {
      openUp(folder)
    } finally {
      folder.release()
    }
    renameSync(from.at(name), target)
    return target
  }
}

/** Removes all but folders, and gives where those are then. */
function emptyInto(folder: HeldFolder, place: (folder: HeldFolder, name: Buffer) => Buffer): Buffer[] {
  openUp(folder)
  const folders: Buffer[] = []
  for (const entry of entriesIn(folder)) {
    const path = folder.at(entry.name)
    const isRemoved = attempt(() => (entry.isDirectory() ? rmdirSync(path) : unlinkSync(path)))
    if (!isRemoved) attempt(() => folders.push(place(folder, entry.name)))
  }
  return folders
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
