import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../text/errors.ts'
import { readLines } from './read-lines.ts'

/** Returns the names of a folder's files in order, links among them; undefined if there is no such folder. */
export function textFiles(folder: string): string[] | undefined {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isDirectory())
  return entries.map(({ name }) => name).sort()
}

/**
 * Reads a text file of a folder whole, without a byte order mark and with `\n` as line ends; undefined if it is missing. Throws
 * `UserError` like `readLines`, and for a link: a suite must not name files outside of its folder.
 */
export async function readTextFile(folder: string, name: string): Promise<string | undefined> {
  const path = join(folder, name)
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return undefined
  if (found.isSymbolicLink())
    throw new UserError({ where: path, what: 'is a symbolic link', fix: 'Replace it by a copy of the file.' })
  const lines: string[] = []
  for await (const { text } of readLines(path)) lines.push(text)
  return lines.map((line) => `${line}\n`).join('')
}
