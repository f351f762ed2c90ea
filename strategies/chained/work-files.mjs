import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { dirname, isAbsolute, join, normalize } from 'node:path'

/** What tools make; it is never work, at any depth. */
const leftOut = new Set(['.git', '.bench', 'node_modules', '__pycache__'])

/** Whether a path has no part that is never work. */
export const isWork = (path) => !path.split('/').some((name) => leftOut.has(name))

/** Returns the files of a folder, sorted by path: plain files, and links, with their mode in git. */
export function listWork(root) {
  const found = []
  const visit = (folder) => {
    for (const name of readdirSync(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (leftOut.has(name)) continue
      const entry = lstatSync(join(root, path), { throwIfNoEntry: false })
      if (entry === undefined && name.includes('\uFFFD'))
        throw new Error(`the name of ${path} is not UTF-8; rename it`)
      if (entry?.isDirectory()) visit(path)
      else if (entry?.isSymbolicLink()) found.push({ path, mode: '120000' })
      else if (entry?.isFile()) found.push({ path, mode: entry.mode & 0o100 ? '100755' : '100644' })
    }
  }
  if (existsSync(root)) visit('')
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Returns the bytes of a file of the work; of a link, where it leads to. */
export const readWork = (root, { path, mode }) =>
  mode === '120000' ? readlinkSync(join(root, path), { encoding: 'buffer' }) : readFileSync(join(root, path))

/** Returns bytes as text; undefined if they are none. */
export function textOf(bytes) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/**
 * Copies files of a folder into a new one. Links that lead out of the folder are left out: what they lead to would be shared.
 * Packages are linked.
 */
export function copyWork(from, to, paths) {
  mkdirSync(to)
  const folders = new Set(['.'])
  for (const path of paths) {
    const entry = lstatSync(join(from, path), { throwIfNoEntry: false })
    const isLink = entry?.isSymbolicLink()
    if (!(entry?.isFile() || (isLink && staysInside(path, readlinkSync(join(from, path)))))) continue
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder)
    mkdirSync(join(to, dirname(path)), { recursive: true })
    if (isLink) symlinkSync(readlinkSync(join(from, path)), join(to, path))
    else copyFileSync(join(from, path), join(to, path))
  }
  for (const folder of folders)
    linkPackages(join(from, folder, 'node_modules'), join(to, folder, 'node_modules'))
}

const staysInside = (path, target) =>
  !isAbsolute(target) &&
  !normalize(join(dirname(path), target))
    .split('/')
    .includes('..')

/** Links each package and not the folder: what tools write beside the packages stays in the copy. */
function linkPackages(from, to) {
  if (!existsSync(from)) return
  mkdirSync(to)
  for (const name of readdirSync(from))
    if (!name.startsWith('.') || name === '.bin') symlinkSync(join(from, name), join(to, name))
}
