import type { Workspace } from '../../strategy.ts'
import { gitObjectHash } from '../../text/git-object.ts'

/** Folders that are never part of the work. */
const leftOut = ['.git', '.bench', 'node_modules', '__pycache__']

/** Returns the hash that git gives the tree of a workspace's files. Each file is a plain one, mode 100644. */
export function gitTreeHash({ list, read }: Pick<Workspace, 'list' | 'read'>): string {
  const root: Folder = new Map()
  for (const path of list()) {
    const parts = path.split('/')
    if (!parts.some((part) => leftOut.includes(part))) put(root, parts, read(path) ?? '')
  }
  return hashFolder(root)
}

/** Texts and folders by name. */
type Folder = Map<string, Folder | string>

function put(folder: Folder, [name = '', ...rest]: readonly string[], text: string): void {
  if (rest.length === 0) {
    folder.set(name, text)
    return
  }
  const inner = folder.get(name)
  const next: Folder = typeof inner === 'object' ? inner : new Map()
  folder.set(name, next)
  put(next, rest, text)
}

function hashFolder(folder: Folder): string {
  const entries = [...folder].map(([name, entry]) =>
    typeof entry === 'string'
      ? {
          sortedAs: Buffer.from(name),
          head: `100644 ${name}\0`,
          hash: gitObjectHash('blob', Buffer.from(entry)),
        }
      : // git sorts a folder as if its name ended with a slash.
        { sortedAs: Buffer.from(`${name}/`), head: `40000 ${name}\0`, hash: hashFolder(entry) },
  )
  entries.sort((a, b) => Buffer.compare(a.sortedAs, b.sortedAs))
  const parts = entries.flatMap(({ head, hash }) => [Buffer.from(head), Buffer.from(hash, 'hex')])
  return gitObjectHash('tree', Buffer.concat(parts))
}
