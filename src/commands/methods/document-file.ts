import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { namedFileProblem } from '../../sandbox/folders/named-file.ts'
import { type Problem, UserError } from '../../text/errors.ts'

/** Most bytes that are read of a document. Its reader refuses far smaller ones, with the limit. */
const mostBytes = 16_000_000

/** Reads a document that a person names. Throws `UserError` for anything that is not a file of UTF-8 text, such as a folder. */
export function readDocumentFile(file: string): string {
  let opened: number | undefined
  try {
    // Opening one waits for a writer, and nothing can stop it. A shell's `<(command)` has its writer already.
    if (statSync(file).isFIFO() && !/^\/(?:dev|proc)\//.test(file)) throw wrong(file, 'is a pipe, not a file')
    opened = openSync(file, 'r')
    if (fstatSync(opened).isDirectory()) throw wrong(file, 'is a folder, not a file')
    return decode(file, readBytes(file, opened))
  } catch (error) {
    if (error instanceof UserError) throw error
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
    throw isMissing
      ? wrong(file, 'there is no such file', 'Paths are relative to the working folder.')
      : wrong(file, `cannot be read: ${(error as Error).message}`)
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}

/** Returns the text of a file; undefined if it does not exist. Throws `UserError` for anything but a file of UTF-8 text. */
export const readIfThere = (path: string): string | undefined =>
  existsSync(path) ? readDocumentFile(path) : undefined

/**
 * Returns the text of a file that a document names, below a folder; undefined if it does not exist. Throws `UserError` as
 * `readDocumentFile` does, and for what no document may name: outside files, links to them, and files of keys.
 */
export function readNamedFile(path: string, folder: string): string | undefined {
  const shown = folder === '.' ? undefined : 'the folder of its document'
  const problem = namedFileProblem(folder, path, shown)
  if (problem) throw new UserError({ where: path, ...problem })
  return readIfThere(join(folder, path))
}

/** Reads to the end, since the size of a pipe or a device is unknown, but no more than a document may have. */
function readBytes(file: string, opened: number): Uint8Array {
  const chunks: Uint8Array[] = []
  for (let size = 0; size <= mostBytes; ) {
    const chunk = new Uint8Array(64_000)
    const count = readSync(opened, chunk)
    if (count === 0) return Buffer.concat(chunks)
    chunks.push(chunk.subarray(0, count))
    size += count
  }
  throw wrong(file, `has more than ${mostBytes / 1e6} MB`)
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    if (!bytes.includes(0)) return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Reported below.
  }
  throw wrong(file, 'is not UTF-8 text')
}

const wrong = (where: string, what: string, fix = 'Give the path of a text file.') =>
  new UserError({ where, what, fix } satisfies Problem)
