import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { isInside, realPath, realSystemFolders } from './toolchain.ts'

/** Folders of bench's own package that contain solutions. */
const solutionFolders = ['tasks', 'results']

/**
 * Returns bubblewrap options that hide the solutions in bench's own package, if the package is installed in a visible folder:
 * among the system's programs, or beside an agent's.
 */
export function hideSolutions(shown: readonly string[]): string[] {
  return [...realSystemFolders(), ...shown]
    .flatMap(findSolutionFolders)
    .flatMap((path) => ['--tmpfs', path, '--remount-ro', path])
}

function findSolutionFolders(place: string): string[] {
  const real = realPath(place)
  return solutionFolders
    .map((name) => join(packageRoot(), name))
    .filter((path) => isInside(path, real) && existsSync(path))
    .map((path) => place + path.slice(real.length))
}

/** What tells of the machine, its other users and other trials; only what exists here. */
const toldByProc = ['cmdline', 'keys', 'key-users', 'locks', 'diskstats', 'sys/kernel/random/boot_id']

/**
 * Returns bubblewrap options that hide those files, and bubblewrap's first process: its command line and its memory are the harness's.
 */
export function hideProcessFiles(): string[] {
  const files = toldByProc.map((name) => `/proc/${name}`).filter((path) => existsSync(path))
  return [
    ...files.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...['--tmpfs', '/proc/1', '--remount-ro', '/proc/1'],
  ]
}
