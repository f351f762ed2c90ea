import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PrivateFolder } from '../folders/private-folder.ts'
import type { MountedFolders } from '../tools/mount-folders.ts'
import { findClosedFolder, isInside } from '../tools/toolchain.ts'

/** The user that programs run as if bench runs as root, and the tools to switch to it. */
export interface OtherUser {
  uid: number
  setpriv: string
  unshare: string
  nsenter: string
  /** Toolchain folders that this user cannot enter, mounted elsewhere. */
  mounted?: MountedFolders
}

/** Mounts each pair of folders in a new mount namespace, then executes its remaining arguments. */
const mountScript = `n=$1; shift; while [ $n -gt 0 ]; do mount --bind "$1" "$2" || exit; shift 2; n=$((n-1)); done; exec "$@"`

/** Returns the command that runs `command` as the other user, with closed folders mounted where that user can reach them. */
export function asOtherUser(
  dropTo: OtherUser | undefined,
  command: string[],
  mounts: readonly FolderMount[],
  mounted: MountedFolders | undefined,
): string[] {
  if (!dropTo) return command
  const { setpriv, unshare, nsenter, uid } = dropTo
  if (mounted)
    return [nsenter, `--mount=${mounted.namespace}`, `--setgid=${uid}`, `--setuid=${uid}`, '--', ...command]
  const dropped = [
    setpriv,
    `--reuid=${uid}`,
    `--regid=${uid}`,
    '--clear-groups',
    '--no-new-privs',
    '--',
    ...command,
  ]
  if (mounts.length === 0) return dropped
  const pairs = mounts.flatMap(({ from, at }) => [from, at])
  return [
    unshare,
    '--mount',
    '--',
    '/bin/sh',
    '-c',
    mountScript,
    'sh',
    String(mounts.length),
    ...pairs,
    ...dropped,
  ]
}

/** A folder that the other user cannot reach, such as one in root's home, and where it is mounted for that user. */
interface FolderMount {
  from: string
  at: string
}

/** Returns the path at which the other user sees a path. */
export function mountedPath(mounts: readonly FolderMount[], path: string): string {
  const folder = mounts.find(({ from }) => isInside(path, from))
  return folder ? folder.at + path.slice(folder.from.length) : path
}

/** Returns mounts for those folders that the other user cannot reach, and creates their mount points. */
export function planMounts(
  dropTo: OtherUser | undefined,
  folders: readonly string[],
  { base }: PrivateFolder,
  mounted: MountedFolders | undefined,
): FolderMount[] {
  if (mounted)
    return folders.flatMap((from) => {
      const at = mounted.at.get(from)
      return at === undefined ? [] : [{ from, at }]
    })
  if (!dropTo) return []
  const closed = folders.filter((folder) => findClosedFolder(dirname(folder)) !== undefined)
  return closed.map((from, i) => {
    const at = join(base, `moved-${i}`)
    mkdirSync(at)
    return { from, at }
  })
}
