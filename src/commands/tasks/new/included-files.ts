import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readPlainText } from '../../../loop/branch/folder.ts'
import { normalizePath, sizeLimits } from '../../../sandbox/folders/paths.ts'
import { UserError } from '../../../text/errors.ts'

/** Files that are not in git, such as installed packages. */
interface Included {
  files: Record<string, string>
  /** Paths that a task cannot hold, with reasons. */
  leftOut: string[]
}

/**
 * Reads the text files of paths in a working folder, such as `node_modules/left-pad`. Does not follow links. Throws `UserError` for a
 * path that is not there, that leads out, or that holds more than a task may have.
 */
export function readIncluded(folder: string, paths: readonly string[]): Included {
  const included: Included = { files: {}, leftOut: [] }
  let bytes = 0
  const take = (path: string): void => {
    const found = lstatSync(join(folder, path), { throwIfNoEntry: false })
    if (found?.isDirectory())
      for (const name of readdirSync(join(folder, path)).sort()) take(`${path}/${name}`)
    else if (found?.isFile()) {
      const text = readPlainText(join(folder, path), sizeLimits.fileBytes)
      if (text.reason !== undefined || text.content.includes('\0'))
        return void included.leftOut.push(`${path} (${text.reason ?? 'is no text'})`)
      included.files[path] = text.content
      bytes += text.size
      if (bytes > sizeLimits.bytes || Object.keys(included.files).length > sizeLimits.files)
        throw new UserError({
          where: `--include ${path}`,
          what: `is more than a task may have: ${sizeLimits.files} files or ${sizeLimits.bytes} bytes`,
          fix: 'Include only the packages that the tests import.',
        })
    } else included.leftOut.push(`${path} (is a link or no file)`)
  }
  for (const given of paths) {
    const path = normalizePath(given)
    if ('problem' in path)
      throw new UserError({
        where: `--include ${given}`,
        what: path.problem,
        fix: 'Give a path in the repository.',
      })
    const isThere = path.path.split('/').every((_, i, parts) => {
      const found = lstatSync(join(folder, ...parts.slice(0, i + 1)), { throwIfNoEntry: false })
      return found !== undefined && !found.isSymbolicLink()
    })
    if (!isThere)
      throw new UserError({
        where: `--include ${given}`,
        what: `is not in ${folder}, or lies behind a link`,
        fix: 'Install the packages there first, for example with npm ci.',
      })
    take(path.path)
  }
  return included
}
