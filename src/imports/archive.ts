import { Decompress } from 'fzstd'
import { type Entry, open, type ZipFile } from 'yauzl'
import { UserError } from '../text/errors.ts'
import { longestPart, parseJson } from './read-document.ts'

/** More entries are no results. */
const mostEntries = 2_000_000
const zstandard = 93

/** A zip archive that is open. */
interface Archive {
  entries: ReadonlyMap<string, Entry>
  /** Returns the JSON of an entry. Throws `UserError` if it is none, is damaged, or is longer than 64 MiB. */
  readJson(name: string): Promise<unknown>
  close(): void
}

/**
 * Opens a zip archive. Nothing is written anywhere. Throws `UserError` for what is no archive, is damaged, has names that lead out of a folder, or has
 * a name twice.
 */
export async function openArchive(path: string): Promise<Archive> {
  const zip = await opened(path)
  try {
    const entries = await readEntries(zip, path)
    return {
      entries,
      readJson: async (name) =>
        parseJson(await readEntry(zip, entries.get(name), `${path}:${name}`), `${path}:${name}`),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

function opened(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false }, (error, zip) =>
      error ? reject(damaged(path, error)) : resolve(zip),
    )
  })
}

function readEntries(zip: ZipFile, path: string): Promise<Map<string, Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>()
    zip.on('error', (error: Error) => reject(damaged(path, error)))
    zip.on('end', () => resolve(entries))
    zip.on('entry', (entry: Entry) => {
      if (entries.has(entry.fileName))
        return reject(damaged(path, new Error(`${entry.fileName} is in it twice`)))
      if (entries.size >= mostEntries)
        return reject(damaged(path, new Error(`it has more than ${mostEntries} entries`)))
      entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
}

async function readEntry(zip: ZipFile, entry: Entry | undefined, where: string): Promise<string> {
  if (!entry) throw new UserError({ where, what: 'is missing in the archive', fix: copyAgain })
  if (entry.uncompressedSize > longestPart) throw tooLong(where)
  const isZstandard = entry.compressionMethod === zstandard
  const parts: Uint8Array[] = []
  let length = 0
  const add = (part: Uint8Array) => {
    length += part.length
    if (length > longestPart) throw tooLong(where)
    parts.push(part)
  }
  try {
    const stream = await readStream(zip, entry, isZstandard)
    // Node reads Zstandard itself from 22.15 on.
    const unpack = isZstandard ? new Decompress(add) : undefined
    for await (const chunk of stream) {
      if (unpack) unpack.push(chunk as Uint8Array)
      else add(chunk as Uint8Array)
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))
  } catch (error) {
    throw error instanceof UserError ? error : damaged(where, error as Error)
  }
}

function readStream(zip: ZipFile, entry: Entry, raw: boolean): Promise<AsyncIterable<unknown>> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, stream: AsyncIterable<unknown>) =>
      error ? reject(error) : resolve(stream)
    if (raw) zip.openReadStream(entry, { decodeFileData: false } as never, done as never)
    else zip.openReadStream(entry, done as never)
  })
}

const copyAgain = 'Copy the file again from the harness that wrote it.'

const damaged = (where: string, error: Error) =>
  new UserError({ where, what: `cannot be read as a zip archive: ${error.message}`, fix: copyAgain })

const tooLong = (where: string) =>
  new UserError({
    where,
    what: `is longer than ${longestPart / 1024 / 1024} MiB`,
    fix: 'Check the file: results are never that long.',
  })
