import { UserError } from '../../text/errors.ts'
import { parseExactJson } from './exact-json.ts'
import { readText } from './read-lines.ts'

/** Such a file is held in memory whole. */
const longest = 16 * 1024 * 1024

/** Reads a JSON file, plain or gzipped. Throws `UserError` like `readLines`, and if it is no JSON or has more than 16 MiB. */
export async function readJson(path: string): Promise<unknown> {
  const parts: string[] = []
  let length = 0
  for await (const part of readText(path)) {
    parts.push(part)
    length += part.length
    if (length > longest)
      throw new UserError({ where: path, what: 'has more than 16 MiB', fix: 'Split the file.' })
  }
  const read = parseExactJson(parts.join(''))
  if ('what' in read) throw new UserError({ where: path, what: read.what, fix: 'Mend the file.' })
  return read.data
}
