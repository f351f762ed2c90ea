import { readFileSync } from 'node:fs'
import { text as readStream } from 'node:stream/consumers'
import { UserError } from '../../text/errors.ts'

/** Returns the reply: the text itself, a file, or for `-` the standard input. */
export async function readText(text: string | undefined, file: string | undefined): Promise<string> {
  if (file !== undefined) return readUserFile('--file', file)
  return text === '-' ? readStream(process.stdin) : (text ?? '')
}

/** Reads a file of the user. Throws `UserError` if it cannot be read. */
export function readUserFile(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const what = `cannot be read: ${(error as Error).message}`
    throw new UserError({ where: `${flag} ${file}`, what, fix: 'Give the path of a text file.' })
  }
}
