import { lstatSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { type Problem, UserError } from '../../text/errors.ts'

/**
 * Resolves the paths of `--include`, which are relative to the folder or to the working folder. Returns them relative to the
 * folder, with `/`. Throws `UserError` with each path that does not exist in the folder.
 */
export function resolveIncludedPaths(folder: string, given: readonly string[]): string[] {
  const problems: Problem[] = []
  const paths = given.map((text) => {
    const found = [resolve(folder, text), resolve(text)].map((path) => within(folder, path)).find(Boolean)
    if (found === undefined)
      problems.push({
        where: `--include ${text}`,
        what: 'does not exist in the workspace',
        fix: 'Give the path of a file or folder, relative to the workspace.',
      })
    return found ?? ''
  })
  if (problems.length > 0) throw new UserError(problems)
  return [...new Set(paths)]
}

/** Returns the path relative to a folder; undefined if it does not exist there. */
function within(folder: string, path: string): string | undefined {
  const inside = relative(folder, path)
  if (inside === '' || isAbsolute(inside) || inside.split(sep)[0] === '..') return undefined
  return lstatSync(path, { throwIfNoEntry: false }) ? inside.split(sep).join('/') : undefined
}

/** Whether a path, or a folder above it, is included. */
export const isIncluded = (path: string, included: readonly string[]): boolean =>
  included.some((one) => path === one || path.startsWith(`${one}/`))

/** Whether a folder contains an included path. */
export const containsIncluded = (folder: string, included: readonly string[]): boolean =>
  included.some((one) => one.startsWith(`${folder}/`))
