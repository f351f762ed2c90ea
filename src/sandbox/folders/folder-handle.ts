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

/** An open folder. Later changes of its path, such as a link in it, do not lead elsewhere. */
export interface FolderHandle {
  /** A path of the folder itself, valid even if the folder is renamed. */
  self: Buffer
  /** Returns the path of an entry. The caller must check whether the entry is a link. */
  at(name: string | Buffer): Buffer
  release(): void
}

const pathOnly = 0o10000000

const descriptors = '/proc/self/fd'
const hasDescriptorPaths = process.platform === 'linux' && isAccessible(descriptors)

/**
 * Opens a folder that a program may have changed. Throws if it is not a folder, even if it is a link to one. Links in the path
 * before it are followed, so start from an open handle. Without `/proc/self/fd` it only checks the path, which is enough once all
 * programs have ended.
 */
export function openFolderHandle(path: string | Buffer): FolderHandle {
  if (!hasDescriptorPaths) {
    if (!lstatSync(path).isDirectory()) throw Object.assign(new Error('is not a folder'), { code: 'ENOTDIR' })
    return createHandle(Buffer.from(path), () => {})
  }
  const fd = openSync(path, pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  return createHandle(Buffer.from(`${descriptors}/${fd}`), () => closeSync(fd))
}

function createHandle(self: Buffer, release: () => void): FolderHandle {
  return { self, release, at: (name) => Buffer.concat([self, slash, Buffer.from(name)]) }
}

const slash = Buffer.from('/')

/** Some containers do not have it, nor does a process that has changed its user. */
function isAccessible(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Lists the entries of a folder. Names are bytes: not every name is valid text. */
export function listEntries({ self }: FolderHandle): Dirent<Buffer>[] {
  return readdirSync(self, { withFileTypes: true, encoding: 'buffer' })
}

/** Restores the owner's rights to list and change a folder, which a program may have removed. */
export function restoreOwnerAccess({ self }: FolderHandle): void {
  const { mode } = statSync(self)
  if ((mode & 0o700) !== 0o700) chmodSync(self, (mode & 0o7777) | 0o700)
}
