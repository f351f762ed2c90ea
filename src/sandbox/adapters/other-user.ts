import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PrivateFolder } from '../folders/private-folder.ts'
import type { MountedFolders } from '../tools/mount-folders.ts'
import { findClosedFolder, isInside } from '../tools/toolchain.ts'

/** As whom programs run where we are root, and what that takes. */
export interface OtherUser {
  uid: number
  setpriv: string
  unshare: string
  nsenter: string
  /** Folders of the toolchain that are closed to that user. */
  opened?: MountedFolders
}

/** Mounts each pair of folders in a mount namespace of its own, then becomes the rest of its arguments. */
const mountScript = `n=$1; shift; while [ $n -gt 0 ]; do mount --bind "$1" "$2" || exit; shift 2; n=$((n-1)); done; exec "$@"`

/** As root: the same as another user, who is let into some folders at another place. */
export function asOtherUser(
  dropTo: OtherUser | undefined,
  command: string[],
  moved: readonly FolderMount[],
  opened: MountedFolders | undefined,
): string[] {
  if (!dropTo) return command
  const { setpriv, unshare, nsenter, uid } = dropTo
  if (opened)
    return [nsenter, `--mount=${opened.namespace}`, `--setgid=${uid}`, `--setuid=${uid}`, '--', ...command]
  const dropped = [
    setpriv,
    `--reuid=${uid}`,
    `--regid=${uid}`,
    '--clear-groups',
    '--no-new-privs',
    '--',
    ...command,
  ]
  if (moved.length === 0) return dropped
  const pairs = moved.flatMap(({ from, at }) => [from, at])
  return [
    unshare,
    '--mount',
    '--',
    '/bin/sh',
    '-c',
    mountScript,
    'sh',
    String(moved.length),
    ...pairs,
    ...dropped,
  ]
}

/** A folder that the other user cannot reach (it is in root's home, mostly), and where it is mounted for that user. */
interface FolderMount {
  from: string
  at: string
}

/** Where a path is seen by the other user. */
export function mountedPath(moved: readonly FolderMount[], path: string): string {
  const folder = moved.find(({ from }) => isInside(path, from))
  return folder ? folder.at + path.slice(folder.from.length) : path
}

/** Where folders that are closed to the other user are seen by it; those alone that are. */
export function planMounts(
  dropTo: OtherUser | undefined,
  folders: readonly string[],
  { base }: PrivateFolder,
  opened: MountedFolders | undefined,
): FolderMount[] {
  if (opened)
    return folders.flatMap((from) => {
      const at = opened.at.get(from)
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
