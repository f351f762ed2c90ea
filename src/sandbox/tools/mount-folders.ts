import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isInside } from './toolchain.ts'

/** Folders that only root may enter, where another user reaches them as well. */
export interface MountedFolders {
  /** The mount namespace in which that is so, as a path for nsenter. */
  namespace: string
  /** Where each stands there, by its own path. */
  at: ReadonlyMap<string, string>
}

/** Covered by a file system in memory, which nobody outside of the namespace sees. */
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
  const holder = spawn(unshare, ['--mount', '--', '/bin/sh', '-c', script, 'sh', place, ...folders], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
    // A Ctrl-C is for us: what runs still needs its folders.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const isOpen = await new Promise<boolean>((resolve) => {
    holder.stdout.once('data', () => resolve(true))
    holder.once('error', () => resolve(false)).once('exit', () => resolve(false))
  })
  // It ends when its input does, which is with this process, however that ends.
  holder.unref()
  for (const stream of [holder.stdin, holder.stdout]) (stream as unknown as { unref(): void }).unref()
  if (!isOpen) return undefined
  return {
    namespace: `/proc/${holder.pid}/ns/mnt`,
    at: new Map(folders.map((folder, at) => [folder, `${place}/${at}`])),
  }
}
