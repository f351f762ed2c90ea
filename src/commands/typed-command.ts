import { basename, delimiter, dirname, relative, resolve } from 'node:path'
import { shellWord } from '../shell-word.ts'

/** How bench is called, so that it is found the same way in this folder again. */
export function typedCommand(
  path = process.argv[1] ?? 'bench',
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  // npx and the scripts of a package.json look into node_modules/.bin, where a shell does not.
  if (environment.npm_command !== undefined) return 'npx bench'
  const near = relative('.', path)
  const short = shellWord(near.startsWith('../../') ? resolve(path) : near)
  if (basename(path) !== 'bench') return `node ${short}`
  const folders = environment.PATH?.split(delimiter).map((folder) => resolve(folder)) ?? []
  if (folders.includes(resolve(dirname(path)))) return 'bench'
  return short.includes('/') ? short : `./${short}`
}
