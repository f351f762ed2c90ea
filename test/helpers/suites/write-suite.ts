import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tempFolder } from '../machine/temp.ts'

/** Returns objects as the text of a JSONL file; a text stands for itself. */
export const jsonLines = (...lines: readonly unknown[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')

/** Writes files into a folder; returns the folder. */
export function writeFiles(files: Readonly<Record<string, string>>, folder = tempFolder()): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}
