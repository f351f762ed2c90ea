import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { packageRoot } from '../package-root.ts'

/** The path of a file that comes with the package, as it can be opened from this folder. */
export function packagedFile(file: string): string {
  // What npm links here is elsewhere in truth; a project's files name it by its link.
  const installed = join('node_modules/orchestration-bench', file)
  if (existsSync(installed)) return installed
  const path = join(packageRoot(), file)
  const near = relative('.', path)
  return near.startsWith('..') || isAbsolute(near) ? path : near
}
