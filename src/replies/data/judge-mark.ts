import { z } from 'zod'
import { seededRandom } from '../../base/random.ts'
import { escapeRegExp } from '../../text/escape-reg-exp.ts'

/** A JSON Schema, as an object. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Name of the field that holds the mark of an ask. */
export const markField = 'mark'
const valueField = 'value'

/** The mark of one ask: only a value that carries it is the judge's own. */
export interface JudgeMark {
  token: string
  /** Whether the value stands in a wrapper beside the mark, since the shape has no place for it. */
  isWrapped: boolean
}

const letters = 'bcdfghjkmnpqrstvwxz23456789'
const markLength = 10

/** Draws a mark by a label, equal for an equal label: ten letters and digits that stand in none of the texts. */
export function drawMark(label: string, texts: readonly string[]): string {
  const random = seededRandom(label)
  for (;;) {
    const drawn = Array.from({ length: markLength }, () => letters[Math.floor(random() * letters.length)])
    const token = drawn.join('')
    if (!texts.some((text) => text.includes(token))) return token
  }
}

/** A schema with the mark as its first field, and how a value of it is read. */
interface MarkedSchema {
  schema: JsonSchema
  mark: JudgeMark
}

/**
 * Adds a mark to a schema: as a further field of an object, else in a wrapper of mark and value. `ofShape` makes the schema of a shape,
 * for the wrapper.
 */
export function markSchema(
  shape: z.ZodType,
  schema: JsonSchema,
  token: string,
  ofShape: (shape: z.ZodType) => JsonSchema,
): MarkedSchema {
  const fields = Object.keys((schema.properties as object | undefined) ?? {})
  const isPlainObject = schema.type === 'object' && schema.properties !== undefined
  // A shape that refers to itself would want the mark again inside. One with the field `value` alone would look like a wrapper.
  const isWrapped =
    !isPlainObject ||
    fields.includes(markField) ||
    (fields.length === 1 && fields[0] === valueField) ||
    schema.anyOf !== undefined ||
    schema.oneOf !== undefined ||
    schema.allOf !== undefined ||
    JSON.stringify(schema).includes('"$ref":"#"')
  if (isWrapped)
    return { schema: ofShape(z.object({ mark: z.literal(token), value: shape })), mark: { token, isWrapped } }
  const marked = {
    ...schema,
    properties: { [markField]: { type: 'string', const: token }, ...(schema.properties as object) },
    required: [markField, ...((schema.required as string[] | undefined) ?? [])],
  }
  return { schema: marked, mark: { token, isWrapped } }
}

/** Returns data as a reply to a schema has it: with the mark that the schema wants, if it wants one. */
export function addMark(schema: JsonSchema | undefined, data: unknown): unknown {
  const properties = schema?.properties as Record<string, { const?: unknown }> | undefined
  const token = properties && Object.hasOwn(properties, markField) ? properties[markField]?.const : undefined
  if (typeof token !== 'string') return data
  if (isWrapper(Object.keys(properties ?? {}))) return { [markField]: token, [valueField]: data }
  return typeof data === 'object' && data !== null && !Array.isArray(data) && !Object.hasOwn(data, markField)
    ? { [markField]: token, ...data }
    : data
}

const isWrapper = (fields: readonly string[]) =>
  fields.length === 2 && fields.includes(markField) && fields.includes(valueField)

/** Whether a value is an object with the mark as a field. */
export function carriesMark(value: unknown, { token }: JudgeMark): value is Record<string, unknown> {
  return isObject(value) && Object.hasOwn(value, markField) && value[markField] === token
}

/** Returns what a value says beside its mark; undefined if it has another mark or none, or if its wrapper holds nothing. */
export function markedContent(value: unknown, mark: JudgeMark): { content: unknown } | undefined {
  if (!carriesMark(value, mark)) return undefined
  const { [markField]: _, ...content } = value
  if (!mark.isWrapped) return { content }
  return Object.hasOwn(value, valueField) ? { content: value[valueField] } : undefined
}

/** Whether a JSON value is an object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The texts that a judge may quote. */
export interface JudgedTexts {
  /** What it is shown to judge, and what was said before: in them any word counts. */
  shown: readonly string[]
  /** The method's own words, and files that it can open: in them only what looks like a field counts. */
  around: readonly string[]
  /** Whether it could see others, such as the output of a program that it ran. */
  sawMore?: boolean
}

/**
 * Whether a reply without the mark may be read: no text that the judge may quote names a field of the wanted value, so that a value in
 * the reply can be no quotation. Never with a shape that a value without fields fits: there is no name to look for.
 */
export function mayReadUnmarked(schema: JsonSchema, { shown, around, sawMore }: JudgedTexts): boolean {
  if (sawMore || !hasFields(schema)) return false
  const names = [...fieldsOf(schema)].map(escapeRegExp).join('|')
  const word = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names})(?![\\p{L}\\p{N}_])`, 'iu')
  // Blanks and comments may stand before the colon of a field.
  const field = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${names})[^\\p{L}\\p{N}_:,.;]*(?::|/[/*])`, 'iu')
  const holds = (pattern: RegExp) => (text: string) => readings(text).some((reading) => pattern.test(reading))
  return !shown.some(holds(word)) && !around.some(holds(field))
}

/** Whether each value of a schema is an object with a field that it must have. */
function hasFields(schema: unknown): boolean {
  if (!isObject(schema)) return false
  const branches = schema.anyOf ?? schema.oneOf
  if (Array.isArray(branches)) return branches.every(hasFields)
  return schema.type === 'object' && listOf(schema.required).length > 0
}

/** Returns the names of the fields that a value of a schema must have, and of those that objects within it have. */
function fieldsOf(schema: JsonSchema): Set<string> {
  const names = new Set<string>()
  const visit = (part: unknown) => {
    if (typeof part !== 'object' || part === null) return
    const { required, properties } = part as { required?: unknown; properties?: unknown }
    const all = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
    const own = listOf(required)
    for (const name of own.length > 0 ? own : all) names.add(name)
    for (const inner of Object.values(part)) visit(inner)
  }
  visit(schema)
  return names
}

const listOf = (names: unknown): string[] => (Array.isArray(names) ? names.map(String) : [])

/** Returns a text as a reader of JSON, or a judge that quotes it, may see it: without characters that nobody sees, and without escapes. */
function readings(text: string): string[] {
  const written = withoutHidden(text)
  const decoded = text
    .replace(/(?:\\u([\da-f]{4})|\\x([\da-f]{2})|%([\da-f]{2})|&#x([\da-f]{1,6});)/gi, ofCode(16))
    .replace(/&#(\d{1,7});/g, ofCode(10))
  const plain = withoutHidden(decoded)
  const both = plain === written ? [plain] : [plain, written]
  if (!plain.includes('\\')) return both
  // A backslash before a letter may be needless, or make a line end of it.
  return [...both, plain.replaceAll('\\', ''), plain.replace(/\\+./gs, ' ')]
}

const withoutHidden = (text: string) => text.normalize('NFKC').replace(/\p{Cf}/gu, '')

/** Returns a function that replaces an escape by its character. */
function ofCode(radix: number) {
  return (whole: string, ...groups: unknown[]) => {
    const digits = groups.find((group) => typeof group === 'string') as string
    const code = Number.parseInt(digits, radix)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  }
}
