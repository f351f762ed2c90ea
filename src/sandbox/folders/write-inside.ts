import {
  chownSync,
  closeSync,
  constants,
  fchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { type FolderHandle, openFolderHandle, restoreOwnerAccess } from './folder-handle.ts'
import { removeTree } from './remove-tree.ts'

const anew = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/**
 * Writes a file into a folder that a program may have been in. What stands in its place, a link above all, is removed and
 * never followed or opened; so is what stands where a folder on the way belongs. What is made belongs to `uid` if one is given.
 */
export function writeInside(folder: string, path: string, text: string, uid?: number): void {
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  const name = names.pop()
  if (name === undefined || [...names, name].includes('..'))
    throw new Error(`${JSON.stringify(path)} names no file in a folder`)
  const held = openOrReplacePath(folder, names, uid)
  try {
    const place = held.at(name)
    clear(place)
    const file = openSync(place, anew, 0o666)
    try {
      writeFileSync(file, text)
      if (uid !== undefined) fchownSync(file, uid, uid)
    } finally {
      closeSync(file)
    }
  } finally {
    held.release()
  }
}

/** Makes sure that a folder is one, and `uid`'s, whatever a program has put in its place. */
export function ensureFolder(folder: string, uid?: number): void {
  const held = openOrReplacePath(folder, [], uid)
  try {
    if (uid !== undefined) chownSync(held.self, uid, uid)
  } finally {
    held.release()
  }
}

function openOrReplacePath(folder: string, names: readonly string[], uid: number | undefined): FolderHandle {
  let held = openFolderHandle(realpathSync(dirname(folder)))
  for (const name of [basename(folder), ...names]) {
    const outer = held
    try {
      held = openOrReplaceFolder(outer, name, uid)
    } finally {
      outer.release()
    }
  }
  return held
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

function clear(place: Buffer): void {
  const before = lstatSync(place, { throwIfNoEntry: false })
  if (before?.isDirectory()) removeTree(place)
  else if (before) unlinkSync(place)
}
