import type { z } from 'zod'
import { UserError } from '../../text/errors.ts'
import { type Seal, sealOf } from './checksum.ts'
import { type Line, readLines } from './lines.ts'

/** Where a line of a journal stands, and what to do when it is damaged. */
export interface LinePlace {
  where: string
  remedy: string
}

/** What to do about a damaged line of the ledger. */
export const stepRemedy =
  'Put the file back from a copy of the run folder. Without one, remove the line: bench run --resume does again what it stood for, and says what to do where its trial has a record already.'

/** A line of a journal as data of its shape. Throws `UserError` with place, field and remedy when it is damaged. */
export function parseEntry<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  place: LinePlace,
): z.output<Schema> {
  return shaped(parseObject(text, place), schema, place)
}

/** An object as data of its shape. Throws like `parseEntry`. */
export function shaped<Schema extends z.ZodType>(
  json: object,
  schema: Schema,
  place: LinePlace,
): z.output<Schema> {
  const { data, error } = schema.safeParse(json)
  if (!error) return data
  const [issue] = error.issues
  throw damaged(`${issue?.path.join('.') || 'the line'}: ${issue?.message}`, place)
}

/** A line of a journal as an object of unknown fields. Throws like `parseEntry`. */
export function parseObject(text: string, place: LinePlace): Record<string, unknown> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw damaged(`is not a line of JSON: ${JSON.stringify(text.slice(0, 60))}`, place)
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw damaged(`is none of bench's: ${JSON.stringify(text.slice(0, 60))}`, place)
  const reason = faultOf(json)
  if (reason !== undefined) throw damaged(reason, place)
  return json as Record<string, unknown>
}

/** A line with its place, and whether it bears a sum. */
export type PlacedLine = Line & { place: LinePlace; isSealed: boolean }

/**
 * The lines of a journal's file. Throws `UserError` for one whose seal is broken, or that has none where others have: of
 * a file either all lines are sealed or none.
 */
export function* readSealed(path: string, remedy: string): Generator<PlacedLine> {
  let before: Seal | undefined
  for (const line of readLines(path)) {
    const place = { where: `${path}:${line.number}`, remedy }
    const seal = sealOf(line.text)
    if (seal === 'broken') throw damaged('was changed after it had been written: its sum is wrong', place)
    if (before !== undefined && seal !== before)
      throw damaged(
        `${seal === 'none' ? 'has lost its sum' : 'has a sum'}, unlike the lines before it`,
        place,
      )
    before = seal
    yield { ...line, place, isSealed: seal === 'whole' }
  }
}

/** Whether a file's lines are sealed, so that one that is added must be; undefined: it has none. */
export function isSealed(path: string): boolean | undefined {
  for (const { isSealed } of readSealed(path, stepRemedy)) return isSealed
  return undefined
}

/** The error for a line that cannot be read. */
export const damaged = (what: string, { where, remedy }: LinePlace) =>
  new UserError({ where, what, fix: remedy })

/** Far beyond what any file of a run nests, and far below what overflows the stack of whoever walks through it. */
const deepest = 200

/** Why parsed JSON could not be walked through or written again as it is; undefined when it can. */
export function faultOf(value: unknown, left = deepest): string | undefined {
  // JSON has no infinity, but a number such as 1e999 is read as one.
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : 'holds a number that is too large'
  if (typeof value !== 'object' || value === null) return undefined
  if (left === 0) return 'nests too deeply'
  for (const item of Object.values(value)) {
    const reason = faultOf(item, left - 1)
    if (reason !== undefined) return reason
  }
  return undefined
}
