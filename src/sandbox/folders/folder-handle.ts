import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs'

/** A folder that is held, so that no link which somebody puts on the way to it leads anywhere else. */
export interface FolderHandle {
  /** A path of the folder itself, whatever becomes of its name. */
  self: Buffer
  /** A path of what stands in it under a name. Whether that is a link is for the caller to ask. */
  at(name: string | Buffer): Buffer
  release(): void
}

/** Where a path is, opened for nothing. Linux's; Node has no name for it. */
const asPlace = 0o10000000

const opened = '/proc/self/fd'
const hasOpened = process.platform === 'linux' && isOpen(opened)

/**
 * Takes hold of a folder that a program may have been in. Throws where it is none, be it a link to one; links on the way
 * to a given path are followed, so go on from a folder that is held. Where the system has no paths of what is open, it looks
 * before each use: enough once all programs have ended.
 */
export function openFolderHandle(path: string | Buffer): FolderHandle {
  if (!hasOpened) {
    if (!lstatSync(path).isDirectory()) throw Object.assign(new Error('it is no folder'), { code: 'ENOTDIR' })
    return heldAt(Buffer.from(path), () => {})
  }
  const fd = openSync(path, asPlace | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  return heldAt(Buffer.from(`${opened}/${fd}`), () => closeSync(fd))
}

function heldAt(self: Buffer, release: () => void): FolderHandle {
  return { self, release, at: (name) => Buffer.concat([self, slash, Buffer.from(name)]) }
}

const slash = Buffer.from('/')

/** Not every container has it, nor a process that has changed its user. */
function isOpen(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** What stands in a held folder, by names as bytes: not every name is text. */
export function listEntries({ self }: FolderHandle): Dirent<Buffer>[] {
  return readdirSync(self, { withFileTypes: true, encoding: 'buffer' })
}

/** Gives back to the owner what a program took away: to list the folder and to change what is in it. */
export function restoreOwnerAccess({ self }: FolderHandle): void {
  const { mode } = statSync(self)
  if ((mode & 0o700) !== 0o700) chmodSync(self, (mode & 0o7777) | 0o700)
}
