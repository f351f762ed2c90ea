import { z } from 'zod'
import {
  anything,
  type Cursor,
  exactly,
  listOf,
  lowestByte,
  mapOf,
  nullOr,
  number,
  type Reader,
  startsWith,
  text,
  truth,
} from './json-bytes.ts'

/*
 * Readers made of schemas: what they accept, the schema accepts. They may refuse what it would accept too: objects with keys
 * that it does not name, spaces between values.
 */

/** One field of an object, as it was when it was read last. */
export interface Field {
  /** Where its value begins, and where it has ended. */
  from: number
  to: number
  /** The cursor's number at its end. */
  number: number
  /** How often it was read, and not found unchanged: while this stays, so does the value. */
  reads: number
}

/** Reads an object and keeps what is known of its fields, for whoever wants to look at some of them. */
export interface ObjectReader<Key extends string> {
  read: Reader
  fields: Readonly<Record<Key, Field>>
  /** Of the object read last: whether it has this field, and which stood at its end. */
  has(field: Field): boolean
  last(): Field
}

interface OwnField extends Field {
  /** As it stands there, with its colon. */
  key: Buffer
  keyLength: number
  read: Reader
  needed: number
  /** The object in which it was seen last, by number. */
  object: number
  /** The cursor's content in which it was read; 0: none. */
  content: number
  /** What came after it the last time. */
  next: OwnField
}

/**
 * A reader of an object of this schema; `own` reads single fields in place of what their schemas make. Objects of one kind
 * are much alike, so what stands as it stood the last time is compared with that, as far as they go together, and not read again.
 */
export function objectReader<Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape>,
  own: Partial<Record<string, Reader>> = {},
): ObjectReader<Extract<keyof Shape, string>> {
  const entries = Object.entries(schema.shape) as [string, z.ZodType][]
  const fields = entries.map(([name, value]) =>
    fieldOf(name, own[name] ?? readerOf(value), !(value instanceof z.ZodOptional)),
  )
  const start = fieldOf('', () => false, false)
  const needed = fields.filter((field) => field.needed).length
  let object = 0
  let last = start

  const read: Reader = (cursor) => {
    const { bytes, content } = cursor
    let { at } = cursor
    if (bytes[at++] !== 0x7b) return false
    object++
    let missing = needed
    let field = start
    // What stood before this place in an object read earlier stands here too, so far ahead.
    let sameTo = 0
    let ahead = 0
    for (;;) {
      const before = field
      field = before.next
      const isKnown = field.content === content
      const there = field.from - field.keyLength
      if (!isKnown) sameTo = 0
      else if (there + ahead !== at || there >= sameTo) {
        ahead = at - there
        sameTo = there + commonBytes(cursor, at, there)
      }
      if (isKnown && field.to < sameTo) {
        // It stood there too, and was read then; and what follows it is the same.
        field.from += ahead
        field.to += ahead
      } else {
        if (!isKnown || sameTo < field.from) {
          const found = fields.find(({ key }) => startsWith(bytes, at, key))
          if (!found) return false
          field = found
          before.next = found
        }
        field.content = 0
        field.from = at + field.keyLength
        cursor.at = field.from
        if (!field.read(cursor)) return false
        field.to = cursor.at
        field.number = cursor.number
        field.reads++
        field.content = content
      }
      at = field.to + 1
      if (field.object === object) return false
      field.object = object
      missing -= field.needed
      const next = bytes[at - 1]
      if (next === 0x2c) continue
      cursor.at = at
      last = field
      return next === 0x7d && missing === 0
    }
  }
  return {
    read,
    fields: Object.fromEntries(entries.map(([name], index) => [name, fields[index]])) as never,
    has: (field) => (field as OwnField).object === object,
    last: () => last,
  }
}

function fieldOf(name: string, read: Reader, isNeeded: boolean): OwnField {
  const key = Buffer.from(`${JSON.stringify(name)}:`)
  const field = { key, keyLength: key.length, read, needed: isNeeded ? 1 : 0, object: 0, content: 0 }
  const own = { ...field, from: 0, to: 0, number: 0.5, reads: 0 } as OwnField
  own.next = own
  return own
}

/** How many bytes here are the same as there, which is before. */
function commonBytes({ bytes, view }: Cursor, here: number, there: number): number {
  const most = bytes.length - here
  let same = 0
  // Eight at a time, as doubles: equal ones are the same bytes, but for a zero with its sign, whose bytes no JSON holds.
  while (same + 8 <= most) {
    if (view.getFloat64(here + same, true) === view.getFloat64(there + same, true)) {
      same += 8
      continue
    }
    const first = view.getInt32(here + same, true) ^ view.getInt32(there + same, true)
    if (first !== 0) return same + lowestByte(first)
    const second = view.getInt32(here + same + 4, true) ^ view.getInt32(there + same + 4, true)
    // None differs where they make no number, which is unlike itself.
    if (second !== 0) return same + 4 + lowestByte(second)
    same += 8
  }
  while (same < most && bytes[here + same] === bytes[there + same]) same++
  return same
}

/** A reader of what this schema accepts. */
export function readerOf(schema: z.ZodType): Reader {
  const hasChecks = (schema.def.checks ?? []).length > 0
  if (schema instanceof z.ZodOptional) return readerOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodNullable) return nullOr(readerOf(schema.unwrap() as z.ZodType))
  if (schema instanceof z.ZodNumber) return numberOf(schema)
  if (hasChecks) return checkedBy(schema)
  if (schema instanceof z.ZodString) return text
  if (schema instanceof z.ZodBoolean) return truth
  if (schema instanceof z.ZodUnknown) return anything
  if (schema instanceof z.ZodEnum) return wordOf(schema.options)
  if (schema instanceof z.ZodLiteral && schema.values.size === 1) return wordOf([...schema.values])
  if (schema instanceof z.ZodArray) return listOf(readerOf(schema.element as z.ZodType))
  if (schema instanceof z.ZodObject) return objectReader(schema).read
  if (schema instanceof z.ZodUnion) return firstOf(schema.options.map((one) => readerOf(one as z.ZodType)))
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodString)
    return mapOf(readerOf(schema.valueType as z.ZodType))
  return checkedBy(schema)
}

/** Numbers are many, and a call of their schema costs more than to read one: limits of the usual kinds are compared here. */
function numberOf(schema: z.ZodNumber): Reader {
  const checks = [schema, ...(schema.def.checks ?? [])].flatMap(({ _zod: { def } }) =>
    'check' in def && def.check !== undefined ? [def as z.core.$ZodCheckDef] : [],
  )
  if (checks.length === 0) return number
  const [lows, highs] = ['greater_than', 'less_than'].map((kind) =>
    checks.filter(({ check }) => check === kind),
  ) as [z.core.$ZodCheckGreaterThanDef[], z.core.$ZodCheckLessThanDef[]]
  const formats = checks.filter(
    (check) => (check as z.core.$ZodCheckNumberFormatDef).format === 'safeint',
  ).length
  if (lows.length + highs.length + formats < checks.length) return checkedBy(schema)
  const low = Math.max(Number.NEGATIVE_INFINITY, ...lows.map(({ value }) => Number(value)))
  const high = Math.min(Number.POSITIVE_INFINITY, ...highs.map(({ value }) => Number(value)))
  const above = lows.some(({ value, inclusive }) => value === low && !inclusive)
  const below = highs.some(({ value, inclusive }) => value === high && !inclusive)
  return (cursor) => {
    if (!number(cursor)) return false
    const { number: value } = cursor
    if (value < low || value > high || (above && value === low) || (below && value === high)) return false
    return formats === 0 || Number.isSafeInteger(value)
  }
}

function wordOf(words: readonly unknown[]): Reader {
  return firstOf(words.map((word, place) => exactly(JSON.stringify(word), place)))
}

function firstOf(readers: readonly Reader[]): Reader {
  return (cursor) => {
    const { at } = cursor
    for (const read of readers) {
      cursor.at = at
      if (read(cursor)) return true
    }
    return false
  }
}

/** Whatever the schema asks for, by the schema itself. */
function checkedBy(schema: z.ZodType): Reader {
  return (cursor) => {
    const { at } = cursor
    return (
      anything(cursor) && schema.safeParse(JSON.parse(cursor.bytes.toString('utf8', at, cursor.at))).success
    )
  }
}
