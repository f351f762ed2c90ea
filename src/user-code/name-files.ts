import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { didYouMean } from '../text/near-word.ts'
import { shorten } from '../text/shorten.ts'

/** Says which files a folder has, the first five of them. */
export function nameFiles(folder: string): string {
  const names = namesIn(folder)
  if (names === undefined) return `There is no folder ${folder}.`
  if (names.length === 0) return `There is no file in ${folder}.`
  const shown = names.slice(0, 5).map((name) => shorten(name, 40))
  return `There are: ${shown.join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}.`
}

/** Says which file of its folder a path may mean: the one of a near name, or which there are. */
export const nameFilesBeside = (path: string): string =>
  didYouMean(basename(path), namesIn(dirname(path)) ?? []) ?? nameFiles(dirname(path))

/** The files of a folder that can be seen, by name; undefined if it cannot be read. */
function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort()
  } catch {
    return undefined
  }
}
