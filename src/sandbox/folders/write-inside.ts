import {
  chownSync,
  closeSync,
  constants,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { type FolderHandle, openFolderHandle, restoreOwnerAccess } from './folder-handle.ts'
import { removeTree } from './remove-tree.ts'

const createNew = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/**
 * Writes a file into a folder that a program may have changed. Whatever is in the file's place or in the place of a parent
 * folder, such as a link, is removed and never followed or opened. New files and folders belong to `uid` if one is given.
 */
export function writeInside(folder: string, path: string, text: string, uid?: number): void {
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  const name = names.pop()
  if (name === undefined || [...names, name].includes('..'))
    throw new Error(`${JSON.stringify(path)} is not the path of a file in the folder`)
  const handle = openOrReplacePath(folder, names, uid)
  try {
    const place = handle.at(name)
    removeExisting(place)
    const file = openSync(place, createNew, 0o666)
    try {
      writeFileSync(file, text)
      if (uid !== undefined) fchownSync(file, uid, uid)
    } finally {
      closeSync(file)
    }
  } finally {
    handle.release()
  }
}

/**
 * Writes a file whole or not at all, and otherwise like `writeInside`: it writes `draft`, another path in the folder, and renames
 * it. With `durable` the file is synced to disk before this returns.
 */
export function replaceInside(
  folder: string,
  path: string,
  text: string,
  { draft, durable = false }: { draft: string; durable?: boolean },
): void {
  writeInside(folder, draft, text)
  const from = openParent(folder, draft)
  try {
    const to = openParent(folder, path)
    try {
      if (durable) syncPath(from.place)
      if (lstatSync(to.place, { throwIfNoEntry: false })?.isDirectory()) removeTree(to.place)
      renameSync(from.place, to.place)
      if (durable) syncPath(to.handle.self)
    } finally {
      to.handle.release()
    }
  } finally {
    from.handle.release()
  }
}

/** Removes a path in a folder, with all its contents. Does nothing if the path leads through something that is not a folder. */
export function removeInside(folder: string, path: string): void {
  const names = path.split('/')
  const last = names.pop() as string
  let handle: FolderHandle | undefined
  try {
    handle = openFolderHandle(folder)
    for (const name of names) {
      const outer: FolderHandle = handle
      handle = openFolderHandle(outer.at(name))
      outer.release()
    }
  } catch {
    handle?.release()
    return
  }
  try {
    removeTree(handle.at(last))
  } finally {
    handle.release()
  }
}

function openParent(folder: string, path: string): { handle: FolderHandle; place: Buffer } {
  const names = path.split('/')
  const name = names.pop() as string
  const handle = openOrReplacePath(folder, names, undefined)
  return { handle, place: handle.at(name) }
}

function syncPath(path: Buffer): void {
  const fd = openSync(path, constants.O_RDONLY)
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Ensures that a path is a folder that belongs to `uid`, and removes anything else in its place. */
export function ensureFolder(folder: string, uid?: number): void {
  const handle = openOrReplacePath(folder, [], uid)
  try {
    if (uid !== undefined) chownSync(handle.self, uid, uid)
  } finally {
    handle.release()
  }
}

function openOrReplacePath(folder: string, names: readonly string[], uid: number | undefined): FolderHandle {
  let handle = openFolderHandle(realpathSync(dirname(folder)))
  for (const name of [basename(folder), ...names]) {
    const outer = handle
    try {
      handle = openOrReplaceFolder(outer, name, uid)
    } finally {
      outer.release()
    }
  }
  return handle
}

function openOrReplaceFolder(outer: FolderHandle, name: string, uid: number | undefined): FolderHandle {
  const place = outer.at(name)
  const before = lstatSync(place, { throwIfNoEntry: false })
  if (before && !before.isDirectory()) unlinkSync(place)
  if (!before?.isDirectory()) mkdirSync(place)
  const inner = openFolderHandle(place)
  try {
    if (!before?.isDirectory() && uid !== undefined) chownSync(inner.self, uid, uid)
    restoreOwnerAccess(inner)
    return inner
  } catch (error) {
    inner.release()
    throw error
  }
}

function removeExisting(place: Buffer): void {
  const before = lstatSync(place, { throwIfNoEntry: false })
  if (before?.isDirectory()) removeTree(place)
  else if (before) unlinkSync(place)
}
