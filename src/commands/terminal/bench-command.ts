import { existsSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { shellWord } from '../../text/shell-word.ts'

/** Returns the command that starts bench from this folder, as the user started it. */
export function benchCommand(
  path = process.argv[1] ?? 'bench',
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  // npx and package.json scripts search node_modules/.bin; a shell does not.
  if (environment.npm_command !== undefined) return 'npx bench'
  const relativePath = relative('.', path)
  const short = shellWord(relativePath.startsWith('../../') ? resolve(path) : relativePath)
  if (basename(path) !== 'bench') return `node ${short}`
  const folders = environment.PATH?.split(delimiter).map((folder) => resolve(folder)) ?? []
  if (folders.includes(resolve(dirname(path)))) return 'bench'
  return short.includes('/') ? short : `./${short}`
}

/** Returns the path of a file of the package, to be opened from this folder. */
export function packagedFile(file: string): string {
  // npm may link the package; users know it by the path of the link.
  const installed = join('node_modules/orchestration-bench', file)
  if (existsSync(installed)) return installed
  const path = join(packageRoot(), file)
  const relativePath = relative('.', path)
  return relativePath.startsWith('..') || isAbsolute(relativePath) ? path : relativePath
}
