import { readFileSync } from 'node:fs'
import { UserError } from '../../src/text/errors.ts'

/** Reads a text file that a flag or a variable names. Throws `UserError`. */
export function readText(file: string, where: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError({
      where,
      what:
        code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
          ? `${file} is no UTF-8 text`
          : `${file} cannot be read (${code})`,
      fix: 'Give a text file.',
    })
  }
}
