import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from '../helpers/machine/temp.ts'

/** A folder with a config file. */
export function folderWith(...lines: string[]): string {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'bench.config.yaml'), lines.join('\n'))
  return cwd
}
