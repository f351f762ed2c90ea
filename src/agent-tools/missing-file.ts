import { normalizePath } from '../sandbox/folders/workspace-path.ts'
import type { Files } from '../schema/task.ts'
import { didYouMean } from '../text/near-word.ts'
import type { ToolResult } from './tool-result.ts'

/** The error for a path without a file: it names files that are near. */
export function missingFile(files: Files, path: string): ToolResult {
  const paths = Object.keys(files).sort()
  if (paths.some((other) => other.startsWith(`${path}/`)))
    return failed(`${path} is a folder. Call list with it to see its files.`)
  const name = path.slice(path.lastIndexOf('/') + 1)
  const equal = paths.filter((other) => other === name || other.endsWith(`/${name}`)).slice(0, 5)
  const near = equal.length > 0 ? `Files of that name: ${equal.join(', ')}.` : didYouMean(path, paths)
  const few = paths.slice(0, 10).join(', ')
  const others = paths.length === 0 ? 'The workspace has no files.' : `The files begin with: ${few}.`
  return failed(`There is no file ${path}. ${near ?? others}`)
}

const failed = (text: string): ToolResult => ({ outcome: 'failed', text })

/**
 * Returns the file or folder of the workspace that a path outside of it ends with: agents often write the path that a file would have
 * on a machine. A file to create is looked for behind a leading slash alone.
 */
export function nearPath(files: Files, given: string, isNew = false): string | undefined {
  const parts = given.split(/[\\/]+/).filter((part) => part !== '' && part !== '.')
  const ends = parts.slice(0, mostParts).map((_, i) => parts.slice(i).join('/'))
  const paths = Object.keys(files)
  const known = ends.find(
    (end) => Object.hasOwn(files, end) || paths.some((one) => one.startsWith(`${end}/`)),
  )
  if (known !== undefined || !isNew || !/^\s*[\\/]/.test(given)) return known
  const normal = normalizePath(parts.join('/'))
  return 'path' in normal ? normal.path : undefined
}

/** A path with more parts is not looked through: it is no slip. */
const mostParts = 50
