import { lstatSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { type Problem, UserError } from '../../text/errors.ts'

/**
 * Paths that `--include` names, relative to the folder that they lie in, with `/`: as they are written they may begin
 * there, or where bench was called. Throws `UserError` with each that names nothing in it.
 */
export function resolveIncludedPaths(folder: string, given: readonly string[]): string[] {
  const problems: Problem[] = []
  const paths = given.map((text) => {
    const found = [resolve(folder, text), resolve(text)].map((path) => within(folder, path)).find(Boolean)
    if (found === undefined)
      problems.push({
        where: `--include ${text}`,
        what: 'names nothing in the workspace',
        fix: 'Give the path of a file or folder, relative to the workspace.',
      })
    return found ?? ''
  })
  if (problems.length > 0) throw new UserError(problems)
  return [...new Set(paths)]
}

/** The path relative to a folder; undefined where it is not in there. */
function within(folder: string, path: string): string | undefined {
  const inside = relative(folder, path)
  if (inside === '' || isAbsolute(inside) || inside.split(sep)[0] === '..') return undefined
  return lstatSync(path, { throwIfNoEntry: false }) ? inside.split(sep).join('/') : undefined
}

/** Whether a path is included, or lies in a folder that is. */
export const isIncluded = (path: string, included: readonly string[]): boolean =>
  included.some((one) => path === one || path.startsWith(`${one}/`))

/** Whether something that is included lies in a folder. */
export const containsIncluded = (folder: string, included: readonly string[]): boolean =>
  included.some((one) => one.startsWith(`${folder}/`))
