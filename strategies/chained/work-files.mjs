import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'

/** What tools make; it is never work, at any depth. */
const leftOut = new Set(['.git', '.bench', 'node_modules', '__pycache__'])

/** Whether a path has no part that is never work. */
export const isWork = (path) => !path.split('/').some((name) => leftOut.has(name))

/** Returns the files of a folder, sorted by path: plain files, and links, with their mode in git. */
export function listWork(root) {
  const found = []
  const visit = (folder) => {
    for (const name of unlessGone(() => readdirSync(join(root, folder)), [])) {
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
    if (!(entry?.isFile() || (isLink && staysInside(from, path)))) continue
    // git lists a file that it once had behind what is a link by now.
    if (isBehindLink(from, path)) continue
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder)
    mkdirSync(join(to, dirname(path)), { recursive: true })
    if (isLink) symlinkSync(readlinkSync(join(from, path)), join(to, path))
    else unlessGone(() => copyFileSync(join(from, path), join(to, path)))
  }
  const roots = { from: realpathSync(from), to }
  for (const folder of folders)
    linkPackages(join(from, folder, 'node_modules'), join(to, folder, 'node_modules'), roots)
}

/** A folder at work may lose files while it is read: another run removes what it wrote for a moment. */
function unlessGone(read, otherwise) {
  try {
    return read()
  } catch (error) {
    if (error.code === 'ENOENT') return otherwise
    throw error
  }
}

const isLinkAt = (path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

function isBehindLink(root, path) {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
    if (isLinkAt(join(root, folder))) return true
  return false
}

/** As many links as Linux follows. */
const mostLinks = 40

function staysInside(root, path) {
  const place = []
  const left = path.split('/')
  let links = 0
  while (left.length > 0) {
    const name = left.shift()
    if (name === '' || name === '.') continue
    if (name === '..') {
      if (place.pop() === undefined) return false
      continue
    }
    // The copy has links to other places there.
    if (leftOut.has(name)) return !left.includes('..')
    place.push(name)
    const here = join(root, ...place)
    if (!isLinkAt(here)) continue
    const target = readlinkSync(here)
    links++
    if (isAbsolute(target) || links > mostLinks) return false
    place.pop()
    left.unshift(...target.split('/'))
  }
  return true
}

/** Folders that hold packages or programs of packages and are none. */
const isGroup = (name) => name === '.bin' || name.startsWith('@')

/**
 * Links each package and not the folder: what tools write beside the packages stays in the copy. A package that is itself a part of
 * the work, as in a workspace of npm, is that of the copy.
 */
function linkPackages(from, to, roots) {
  if (!existsSync(from)) return
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    if (name.startsWith('.') && name !== '.bin') continue
    const [installed, link] = [join(from, name), join(to, name)]
    const work = workAt(installed, roots.from)
    if (work !== undefined) symlinkSync(relative(to, join(roots.to, work)) || '.', link)
    else if (isGroup(name) && hasWork(installed, roots.from)) linkPackages(installed, link, roots)
    else symlinkSync(installed, link)
  }
}

const hasWork = (folder, root) =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
  readdirSync(folder).some((name) => workAt(join(folder, name), root) !== undefined)

function workAt(path, root) {
  if (!isLinkAt(path) || !existsSync(path)) return undefined
  const place = relative(root, realpathSync(path))
  return isAbsolute(place) || place.split(sep)[0] === '..' || !isWork(place.split(sep).join('/'))
    ? undefined
    : place
}
