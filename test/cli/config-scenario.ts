import { folderOf } from '../helpers/machine/temp.ts'

/** A folder with a config file. */
export function folderWith(...lines: string[]): string {
  const cwd = folderOf({ 'bench.config.yaml': lines.join('\n') })
  return cwd
}
