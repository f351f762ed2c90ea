import type { z } from 'zod'
import { UserError } from '../../text/errors.ts'
import { inWords } from '../../text/issue-text.ts'
import { type ChecksumState, verifyChecksum } from './checksum.ts'
import { type Line, type RawLine, readRawLines } from './lines.ts'

/** The place of a line in a file, and what to do if it is damaged. */
export interface LinePlace {
  where: string
  remedy: string
}

/** What to do about a damaged line of the ledger. */
export const stepRemedy =
  'Restore the file from a copy of the run folder. Without a copy, remove the line: bench run --resume repeats that step, or says what to do if its trial has a record already.'

/** Parses a line of a file. Throws `UserError` with place, field and remedy if it is damaged. */
export function parseLine<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  place: LinePlace,
): z.output<Schema> {
  return parseShape(parseObject(text, place), schema, place)
}

/** Parses an object with a schema. Throws like `parseLine`. */
export function parseShape<Schema extends z.ZodType>(
  json: object,
  schema: Schema,
  place: LinePlace,
): z.output<Schema> {
  const { data, error } = schema.safeParse(json, inWords)
  if (!error) return data
  const [issue] = error.issues
  throw damagedLine(`${issue?.path.join('.') || 'the line'}: ${issue?.message}`, place)
}

/** Parses a line of a file as an object of unknown fields. Throws like `parseLine`. */
export function parseObject(text: string, place: LinePlace): Record<string, unknown> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw damagedLine(`is not a line of JSON: ${JSON.stringify(text.slice(0, 60))}`, place)
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw damagedLine(`is not a line written by bench: ${JSON.stringify(text.slice(0, 60))}`, place)
  const reason = jsonProblem(json)
  if (reason !== undefined) throw damagedLine(reason, place)
  return json as Record<string, unknown>
}

type Checked = { place: LinePlace; hasChecksum: boolean }

/** Reads the lines of a journal's file like `readJournalBytes`, as text. */
export function* readJournalLines(path: string, remedy: string): Generator<Line & Checked> {
  for (const { bytes, number, offset, length, place, hasChecksum } of readJournalBytes(path, remedy))
    yield { text: bytes.toString(), number, offset, length, place, hasChecksum }
}

/**
 * Reads the lines of a journal's file as they stand there. Throws `UserError` for a line with a wrong checksum, and for a file in
 * which only some lines have one.
 */
export function* readJournalBytes(path: string, remedy: string): Generator<RawLine & Checked> {
  let before: ChecksumState | undefined
  for (const line of readRawLines(path)) {
    const place = { where: `${path}:${line.number}`, remedy }
    const checksum = verifyChecksum(line.bytes)
    if (checksum === 'invalid')
      throw damagedLine('was changed after it had been written: its checksum is wrong', place)
    if (before !== undefined && checksum !== before)
      throw damagedLine(
        `${checksum === 'missing' ? 'has no checksum' : 'has a checksum'}, unlike the lines before it`,
        place,
      )
    before = checksum
    const { bytes, number, offset, length } = line
    yield { bytes, number, offset, length, place, hasChecksum: checksum === 'valid' }
  }
}

/** Returns whether the lines of a file have checksums, so that a new line needs one too; undefined for an empty file. */
export function hasChecksums(path: string): boolean | undefined {
  for (const { hasChecksum } of readJournalLines(path, stepRemedy)) return hasChecksum
  return undefined
}

/** Returns the error for a line that cannot be read. */
export const damagedLine = (what: string, { where, remedy }: LinePlace) =>
  new UserError({ where, what, fix: remedy })

/** More than any file of a run nests, and too little to overflow the stack of a recursive function. */
const maxDepth = 200

/** Returns why parsed JSON could not be traversed or written back unchanged; undefined if it can. */
export function jsonProblem(value: unknown, left = maxDepth): string | undefined {
  // JSON.parse reads a number such as 1e999 as infinity.
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : 'holds a number that is too large'
  if (typeof value !== 'object' || value === null) return undefined
  if (left === 0) return 'nests too deeply'
  for (const item of Object.values(value)) {
    const reason = jsonProblem(item, left - 1)
    if (reason !== undefined) return reason
  }
  return undefined
}
