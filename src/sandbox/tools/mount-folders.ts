import { existsSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { startProcess } from '../machine/start-process.ts'
import { isInside } from './toolchain.ts'

/** Folders that only root may enter, mounted where another user can reach them. */
export interface MountedFolders {
  /** The mount namespace with these mounts, as a path for nsenter. */
  namespace: string
  /** Path in the namespace by original path. */
  at: ReadonlyMap<string, string>
}

/** Possible mount points. The chosen one is covered by a file system in memory, visible only in the namespace. */
const places = ['/mnt', '/media', '/srv']

const script = `place=$1; shift; mount -t tmpfs -o size=64k,mode=755 tmpfs "$place" || exit; n=0
for from; do mkdir "$place/$n" && mount --bind "$from" "$place/$n" || exit; n=$((n+1)); done; echo open; exec cat`

/**
 * Mounts folders once, in a namespace that lives as long as this process. Undefined where that cannot be
 * done here. `seen`: other folders that must not be covered by it.
 */
export async function mountFolders(
  unshare: string,
  folders: readonly string[],
  seen: readonly string[],
): Promise<MountedFolders | undefined> {
  const needed = [realpathSync(tmpdir()), ...folders, ...seen]
  const place = places.find((one) => existsSync(one) && !needed.some((path) => isInside(path, one)))
  if (place === undefined) return undefined
  const holder = startProcess(unshare, ['--mount', '--', '/bin/sh', '-c', script, 'sh', place, ...folders], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
    // Ctrl-C must not end it: running programs still need the mounts.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const isOpen = await new Promise<boolean>((resolve) => {
    holder.stdout?.once('data', () => resolve(true))
    holder.once('error', () => resolve(false)).once('exit', () => resolve(false))
  })
  // It ends when its standard input closes, which happens when this process ends.
  holder.unref()
  for (const stream of [holder.stdin, holder.stdout]) (stream as unknown as { unref(): void }).unref()
  if (!isOpen) return undefined
  return {
    namespace: `/proc/${holder.pid}/ns/mnt`,
    at: new Map(folders.map((folder, at) => [folder, `${place}/${at}`])),
  }
}
