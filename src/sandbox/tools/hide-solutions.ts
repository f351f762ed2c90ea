import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { isInside, realPath, realSystemFolders } from './toolchain.ts'

/** What of our own package tells how its tasks are solved. */
const telling = ['tasks', 'results']

/**
 * Options of bubblewrap that put something empty over what of our own package tells how its tasks are solved, where the
 * package is installed in a folder that a sandbox shows: among the system's programs, or beside an agent's.
 */
export function hideSolutions(shown: readonly string[]): string[] {
  return [...realSystemFolders(), ...shown]
    .flatMap(findSolutionFolders)
    .flatMap((path) => ['--tmpfs', path, '--remount-ro', path])
}

function findSolutionFolders(place: string): string[] {
  const real = realPath(place)
  return telling
    .map((name) => join(packageRoot(), name))
    .filter((path) => isInside(path, real) && existsSync(path))
    .map((path) => place + path.slice(real.length))
}
