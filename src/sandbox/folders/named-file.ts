import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { isKeyFile, isKeyFolder } from '../../text/key-names.ts'
import { isVersionControlPath, pathProblem } from './paths.ts'

/**
 * Returns why a file or folder that a document names may not be read below `root`; undefined if it may. It has the rule of the paths
 * of replies (`newPathProblem`). A link may not lead out of `root`, and neither the path nor what it leads to may be named like a
 * key, such as `.env`. A missing file has no problem.
 */
export function namedFileProblem(
  root: string,
  path: string,
  /** `root` as messages name it. */
  shown = 'the working folder',
): { what: string; fix: string } | undefined {
  const plain = path.replace(/^(\.\/)+/, '').replace(/\/+$/, '')
  const what = `is no path inside of ${shown}`
  const outside = { what, fix: `Write a path below ${shown}, with \`/\` between names.` }
  if (pathProblem(plain) !== undefined) return outside
  const way = wayTo(root, plain)
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
    return { what: `${what}: a link leads out of it`, fix: `Copy what it leads to into ${shown}.` }
  if (isLink(join(root, plain)) && !existsSync(join(root, plain)))
    return { what: 'is a link that leads to no file', fix: 'Correct the link, or name a file.' }
  const led = way.split(sep).join('/')
  if (pathProblem(led) !== undefined) return outside
  if ([plain, led].some(isVersionControlPath))
    return { what: 'is a file of version control, which no document may name', fix: 'Name another file.' }
  return [plain, led].some(isKeyPath)
    ? {
        what: 'is named like a key, so no document may name it',
        fix: 'Name another file, without keys in it.',
      }
    : undefined
}

const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

/** Whether a path is named like a key, or lies in a folder of keys. */
export const isKeyPath = (path: string) =>
  isKeyFile(path) ||
  path.split('/').some((_, depth, parts) => isKeyFolder(parts.slice(0, depth + 1).join('/')))

function wayTo(root: string, path: string): string {
  try {
    return relative(realpathSync(root), realpathSync(join(root, path)))
  } catch {
    return path
  }
}
