import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** What tools make; it is never work, at any depth. */
const leftOut = new Set(['.git', '.bench', 'node_modules', '__pycache__'])

/** Whether a path has no part that is never work. */
export const isWork = (path) => !path.split('/').some((name) => leftOut.has(name))

/** Returns the files of a folder, sorted by path: plain files, and links, with their mode in git. */
export function listWork(root) {
  const found = []
  const visit = (folder) => {
    for (const { name } of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (leftOut.has(name)) continue
      if (name.includes('\uFFFD')) throw new Error(`the name of ${path} is not UTF-8; rename it`)
      const entry = lstatSync(join(root, path), { throwIfNoEntry: false })
      if (entry?.isDirectory()) visit(path)
      else if (entry?.isSymbolicLink()) found.push({ path, mode: '120000' })
      else if (entry?.isFile()) found.push({ path, mode: entry.mode & 0o100 ? '100755' : '100644' })
    }
  }
  if (lstatSync(root, { throwIfNoEntry: false })?.isDirectory()) visit('')
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
