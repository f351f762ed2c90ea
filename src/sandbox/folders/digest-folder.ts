import { createHash, type Hash } from 'node:crypto'
import {
  closeSync,
  type Dirent,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { sha256 } from '../../text/canonical-json.ts'
import { InfrastructureError } from '../../text/errors.ts'

/** What a folder holds. */
interface FolderContent {
  /** SHA-256 of the names and contents of its files; of a link its target counts. */
  digest: string
  /** The paths of its files and links, sorted. */
  files: readonly string[]
}

/** What programs write beside their code, and histories: neither changes what a program does. */
const left = new Set(['.git', '__pycache__'])

/** More entries, and more bytes, than an application has with its packages. */
const [mostEntries, mostBytes] = [200_000, 4 * 1024 ** 3]

/** Returns what a folder holds, with the folders in it; undefined if there is no such folder. Links are not followed. Throws if it cannot be read whole. */
export function digestFolder(folder: string): FolderContent | undefined {
  // All is counted before any of it is read.
  const contents: [path: string, read: () => string][] = []
  let [count, bytes] = [0, 0]
  const visit = (entries: readonly Dirent[], below: string) => {
    for (const entry of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      const place = join(folder, path)
      if (left.has(entry.name)) continue
      if (++count > mostEntries) throw new Error(`it holds more than ${mostEntries} files`)
      if (entry.isDirectory()) visit(readdirSync(place, { withFileTypes: true }), path)
      else if (entry.isSymbolicLink()) contents.push([path, () => `link ${readlinkSync(place)}`])
      else if (entry.isFile()) {
        bytes += statSync(place).size
        if (bytes > mostBytes) throw new Error(`it holds more than ${mostBytes / 1024 ** 3} GiB`)
        contents.push([path, () => hashFile(place)])
      }
    }
  }
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
  visit(entries, '')
  const hash = createHash('sha256')
  for (const [path, read] of contents) hash.update(`${sha256(path)} ${sha256(read())}\n`)
  return { digest: hash.digest('hex'), files: contents.map(([path]) => path).sort() }
}

const piece = Buffer.alloc(1024 ** 2)

function hashFile(path: string): string {
  const hash: Hash = createHash('sha256')
  const file = openSync(path, 'r')
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece))
      hash.update(piece.subarray(0, read))
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}

/** The real paths of folders that were found as they should be. */
const checked = new Map<string, string>()

/** Returns the real path of a folder. It is read once in a process. Throws `InfrastructureError` if it holds something else than the digest says. */
export function requireFolder(path: string, digest: string): string {
  const place = resolve(path)
  const known = checked.get(`${place} ${digest}`)
  if (known !== undefined) return known
  const found = digestFolder(place)
  if (found?.digest !== digest)
    throw new InfrastructureError(
      `the folder ${path} ${found ? 'has changed since the run began' : 'is not there'}. Restore it, or begin a new run`,
    )
  const real = realpathSync(place)
  checked.set(`${place} ${digest}`, real)
  return real
}
