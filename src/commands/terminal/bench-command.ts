import { existsSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { shellWord } from '../../text/shell-word.ts'

/** How bench is called, so that it is found the same way in this folder again. */
export function benchCommand(
  path = process.argv[1] ?? 'bench',
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  // npx and the scripts of a package.json look into node_modules/.bin, where a shell does not.
  if (environment.npm_command !== undefined) return 'npx bench'
  const relativePath = relative('.', path)
  const short = shellWord(relativePath.startsWith('../../') ? resolve(path) : relativePath)
  if (basename(path) !== 'bench') return `node ${short}`
  const folders = environment.PATH?.split(delimiter).map((folder) => resolve(folder)) ?? []
  if (folders.includes(resolve(dirname(path)))) return 'bench'
  return short.includes('/') ? short : `./${short}`
}

/** The path of a file that comes with the package, as it can be opened from this folder. */
export function packagedFile(file: string): string {
  // What npm links here is elsewhere in truth; a project's files name it by its link.
  const installed = join('node_modules/orchestration-bench', file)
  if (existsSync(installed)) return installed
  const path = join(packageRoot(), file)
  const relativePath = relative('.', path)
  return relativePath.startsWith('..') || isAbsolute(relativePath) ? path : relativePath
}
