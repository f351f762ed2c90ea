import { z } from 'zod'
import { seededRandom } from '../../base/random.ts'

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
