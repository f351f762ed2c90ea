import { createReadStream, type Stats } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { type Problem, UserError } from '../../text/errors.ts'
import { nameFiles, nameFilesBeside } from '../../user-code/name-files.ts'

/** A file of tasks is text of some megabytes. A larger one is a mistake, such as a database or an archive. */
const mostBytes = 512 * 1024 * 1024
/** A task of one line; a longer line is no text for a model. */
const longestLine = 16 * 1024 * 1024
/** More lines are no tasks, but a log or an attack. */
const mostLines = 5_000_000

/** A line of a file, counted from 1, without its end. */
export interface TextLine {
  number: number
  text: string
}

/**
 * Reads a text line by line, plain or gzipped: UTF-8, with or without a byte order mark, with line ends of any system. Throws
 * `UserError` if the path is no file, if it is not UTF-8, and if it, or one line of it, is too large.
 */
export async function* readLines(path: string, most = mostBytes): AsyncGenerator<TextLine> {
  let rest = ''
  let number = 0
  for await (const part of readText(path, most)) {
    const lines = part.split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop() as string
    for (const line of lines) yield { number: ++number, text: withoutReturn(line) }
    if (rest.length > longestLine) throw tooLong(path, number + 1)
    if (number > mostLines && most === mostBytes) throw tooMany(path)
  }
  if (rest !== '') yield { number: ++number, text: withoutReturn(rest) }
}

const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)

/** Reads a file of at most `most` bytes of text, part by part, like `readLines`. */
export async function* readText(path: string, most = mostBytes): AsyncGenerator<string> {
  const { size } = await statFile(path)
  if (size > most) throw tooLarge(path, most)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  try {
    for await (const chunk of await openBytes(path)) {
      bytes += chunk.length
      if (bytes > most) throw tooLarge(path, most)
      if (bytes === chunk.length) requireText(path, chunk)
      yield decoder.decode(chunk, { stream: true })
    }
    const last = decoder.decode()
    if (last !== '') yield last
  } catch (error) {
    if (error instanceof UserError) throw error
    const { code } = error as NodeJS.ErrnoException
    const line = code === notUtf8 ? await lineOfPart(path, bytes) : 1
    throw unreadable(path, error as NodeJS.ErrnoException, line)
  }
}

const notUtf8 = 'ERR_ENCODING_INVALID_ENCODED_DATA'

/** Returns the line in which the part begins that ends after some bytes. Only errors need it, so lines are not counted before. */
async function lineOfPart(path: string, end: number): Promise<number> {
  let [line, bytes] = [1, 0]
  for await (const chunk of await openBytes(path)) {
    bytes += chunk.length
    if (bytes >= end) break
    for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', at + 1)) line++
  }
  return line
}

async function openBytes(path: string): Promise<AsyncIterable<Buffer>> {
  const file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
  await file.close()
  const bytes = createReadStream(path)
  const zipped = buffer[0] === 0x1f && buffer[1] === 0x8b
  if (!zipped) return bytes
  const unzipped = createGunzip()
  bytes.on('error', (error) => unzipped.destroy(error))
  // Who stops reading early closes the file, too.
  unzipped.on('close', () => bytes.destroy())
  return bytes.pipe(unzipped)
}

async function statFile(path: string): Promise<Stats> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(path, error)
  })
  if (found.isFile()) return found
  if (!found.isDirectory())
    throw new UserError({ where: path, what: 'is not a file', fix: 'Give the path of the file.' })
  throw new UserError({
    where: path,
    what: 'is a folder',
    fix: `Give the path of the file. ${nameFiles(path)}`,
  })
}

function requireText(path: string, start: Buffer): void {
  const foreign = foreignFormat(start)
  if (foreign) throw new UserError({ where: path, ...foreign })
}

const tooLarge = (path: string, most: number) =>
  new UserError({
    where: path,
    what: `has more than ${most / 1024 / 1024} MiB of text`,
    fix: 'Split the file, or keep the tasks that you need.',
  })

const tooMany = (path: string) =>
  new UserError({
    where: path,
    what: `has more than ${mostLines} lines`,
    fix: 'Split the file, or keep the tasks that you need.',
  })

const tooLong = (path: string, line: number) =>
  new UserError({
    where: `${path}:${line}`,
    what: `has more than ${longestLine / 1024 / 1024} MiB`,
    fix: 'Give a text file with one task a line.',
  })

/** `line`: where the part begins that cannot be read. */
function unreadable(path: string, { code, message }: NodeJS.ErrnoException, line = 1): UserError {
  const where = path
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new UserError({ where, what: 'does not exist', fix: `Check the path. ${nameFilesBeside(path)}` })
  if (code === notUtf8) {
    const what = `is not UTF-8 text${line > 1 ? `, in line ${line} or after it` : ''}`
    return new UserError({ where, what, fix: 'Save it as UTF-8; in Excel as "CSV UTF-8".' })
  }
  return new UserError({ where, what: `cannot be read: ${message}`, fix: 'Check the file.' })
}

type Foreign = Omit<Problem, 'where'>

const utf16: Foreign = {
  what: 'is UTF-16 text, not UTF-8',
  fix: 'Save it as UTF-8; in Excel as "CSV UTF-8".',
}

const signatures: readonly { bytes: readonly number[]; foreign: Foreign }[] = [
  { bytes: [0xff, 0xfe], foreign: utf16 },
  { bytes: [0xfe, 0xff], foreign: utf16 },
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    foreign: {
      what: 'is a zip archive or a workbook of a spreadsheet, not text',
      fix: 'Save the sheet as "CSV UTF-8", or unpack the archive.',
    },
  },
  {
    bytes: [0x50, 0x41, 0x52, 0x31],
    foreign: { what: 'is a Parquet file, not text', fix: 'Convert it to JSONL, one object per line.' },
  },
]

function foreignFormat(start: Uint8Array): Foreign | undefined {
  const known = signatures.find(({ bytes }) => bytes.every((byte, i) => start[i] === byte))
  if (known) return known.foreign
  const head = start.subarray(0, 1024)
  const zeros = head.filter((byte) => byte === 0).length
  if (zeros === 0) return undefined
  // In UTF-16 without a mark every other byte of plain letters is zero.
  return zeros >= head.length / 4 ? utf16 : { what: 'is not text', fix: 'Give a text file in UTF-8.' }
}
