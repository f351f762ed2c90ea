import { UserError } from '../../text/errors.ts'
import { readText } from './read-lines.ts'

/** Such a file is held in memory whole. */
const longest = 64 * 1024 * 1024

/** Reads a JSON file, plain or gzipped. Throws `UserError` like `readLines`, and if it is no JSON or has more than 64 MiB. */
export async function readJson(path: string): Promise<unknown> {
  const parts: string[] = []
  let length = 0
  for await (const part of readText(path)) {
    parts.push(part)
    length += part.length
    if (length > longest)
      throw new UserError({ where: path, what: 'has more than 64 MiB', fix: 'Split the file.' })
  }
  try {
    return JSON.parse(parts.join(''))
  } catch (error) {
    throw new UserError({
      where: path,
      what: `is not JSON: ${(error as Error).message}`,
      fix: 'Mend the file.',
    })
  }
}
