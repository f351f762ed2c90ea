import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders } from '../../base/make-folders.ts'
import { UserError } from '../../text/errors.ts'
import { redactForFile } from './redact-output.ts'

/**
 * Writes a text to a file, or to stdout if `file` is undefined. Creates the folder of the file. Throws `UserError` if it cannot
 * be written, and then leaves no partial new file.
 */
export function writeOut(text: string | Uint8Array, file: string | undefined): void {
  if (file === undefined) {
    process.stdout.write(text)
    return
  }
  try {
    makeFolders(dirname(file))
    write(file, typeof text === 'string' ? redactForFile(text) : text)
  } catch (error) {
    throw new UserError({
      where: `--out ${file}`,
      what: `cannot be written: ${(error as Error).message}`,
      fix: 'Give another path.',
    })
  }
}

function write(file: string, text: string | Uint8Array): void {
  const isNew = !existsSync(file)
  try {
    writeFileSync(file, text)
  } catch (error) {
    if (isNew) rmSync(file, { force: true })
    throw error
  }
}
