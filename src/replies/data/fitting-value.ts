import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { isObject, type JsonSchema } from './judge-mark.ts'

/** What a value is read as, with what was repaired in it, or why it does not fit. */
export type Fit<Reply> = { data: Reply; repairs: readonly string[] } | { problem: string }

/** The problem of a value that has a key twice. */
export const repeatsKey = (key: string) => ({
  problem: `it has the key ${JSON.stringify(key)} twice in one object.`,
})

/** Levels of wrappers that are opened. */
const deepest = 3
/** Most values of a wrapper that are tried. */
const mostFields = 50

/**
 * Reads a value of a shape. One that does not fit may be a wrapper, such as a list with one value: then the only value in it that fits
 * counts. A quoted schema is no value.
 */
export function fitValue<Reply>(value: unknown, shape: z.ZodType<Reply>, schema: JsonSchema): Fit<Reply> {
  if (isSchema(value, schema)) return { problem: 'it repeats the JSON Schema.' }
  const fit = fitItself(value, shape, schema)
  if ('data' in fit) return fit
  const inner = fitInside(value, shape, schema, deepest)
  return inner.length === 1 ? (inner[0] as Fit<Reply>) : fit
}

/** Reads a value of a shape, and never one that lies within it. */
export function fitItself<Reply>(value: unknown, shape: z.ZodType<Reply>, schema: JsonSchema): Fit<Reply> {
  const mended = mend(value, schema)
  if ('problem' in mended) return mended
  const parsed = shape.safeParse(mended.value)
  return parsed.success ? { data: parsed.data, repairs: mended.repairs } : { problem: issuesOf(parsed.error) }
}

/** Returns a value with its keys as its schema writes them, and what was changed for that. */
export function mend(
  value: unknown,
  schema: JsonSchema,
): { value: unknown; repairs: string[] } | { problem: string } {
  const repairs = new Set<string>()
  try {
    const mended = { repairs, repeated: new Set<string>() }
    const data = mendKeys(value, schema, schema, mended)
    const [key] = mended.repeated
    return key === undefined ? { value: data, repairs: [...repairs] } : repeatsKey(key)
  } catch (error) {
    if (error instanceof RangeError) return { problem: 'its lists and objects are nested too deeply.' }
    throw error
  }
}

interface Mended {
  repairs: Set<string>
  /** Names that two keys of an object stand for. */
  repeated: Set<string>
}

/**
 * Returns a value whose keys are written as its schema writes them, in another case or not, and whose `"true"` is true where the schema
 * wants that.
 */
function mendKeys(value: unknown, schema: unknown, root: JsonSchema, mended: Mended): unknown {
  const schemas = branchesOf(schema, root)
  if (schemas.length === 0) return value
  if (Array.isArray(value))
    return value.map((one) => mendKeys(one, { anyOf: schemas.map(({ items }) => items) }, root, mended))
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) {
    if (schemas.some(({ type }) => type !== 'boolean' && type !== 'null')) return value
    mended.repairs.add(`quotes around ${value}`)
    return value.toLowerCase() === 'true'
  }
  if (!isObject(value)) return value
  const names = schemas.flatMap(({ properties }) => Object.keys((properties as object | undefined) ?? {}))
  const entries = Object.entries(value).map(([key, field]) => {
    const name = names.includes(key)
      ? key
      : (names.find((one) => one.toLowerCase() === key.toLowerCase()) ?? key)
    if (name !== key) mended.repairs.add(`the key ${JSON.stringify(key)} for ${JSON.stringify(name)}`)
    const inner = schemas.map(
      (one) => (one.properties as JsonSchema | undefined)?.[name] ?? one.additionalProperties,
    )
    return [name, mendKeys(field, { anyOf: inner }, root, mended)] as const
  })
  const data = Object.fromEntries(entries)
  if (Object.keys(data).length < entries.length)
    for (const [i, [name]] of entries.entries()) if (data[name] !== entries[i]?.[1]) mended.repeated.add(name)
  return data
}

/** Returns the schemas that a schema stands for: those of its references and branches. */
function branchesOf(schema: unknown, root: JsonSchema, levels = 5): JsonSchema[] {
  if (!isObject(schema) || levels === 0) return []
  const { $ref, anyOf, oneOf, allOf } = schema
  const path = typeof $ref === 'string' ? $ref.split('/').slice(1) : []
  const target =
    typeof $ref === 'string' ? [path.reduce<unknown>((part, step) => (part as JsonSchema)?.[step], root)] : []
  const inner = [...target, ...[anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []))]
  return inner.length === 0 ? [schema] : inner.flatMap((one) => branchesOf(one, root, levels - 1))
}

function fitInside<Reply>(
  value: unknown,
  shape: z.ZodType<Reply>,
  schema: JsonSchema,
  levels: number,
): Fit<Reply>[] {
  if (levels === 0 || typeof value !== 'object' || value === null) return []
  const fields = Object.values(value)
  if (fields.length > mostFields) return []
  return fields.flatMap((field) => {
    if (typeof field !== 'object' || field === null || isSchema(field, schema)) return []
    const fit = fitItself(field, shape, schema)
    return 'data' in fit ? [fit] : fitInside(field, shape, schema, levels - 1)
  })
}

/** Whether a value is the schema or an object within it. */
function isSchema(value: unknown, schema: unknown): boolean {
  if (!isObject(value) || Object.keys(value).length === 0 || typeof schema !== 'object' || schema === null)
    return false
  return (
    isDeepStrictEqual(value, schema) ||
    Object.entries(schema).some(([word, inner]) => !dataWords.has(word) && isSchema(value, inner))
  )
}

/** Words of JSON Schema that hold data. */
const dataWords = new Set(['const', 'enum', 'default', 'examples'])

function issuesOf({ issues }: z.ZodError): string {
  const all = issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.map(String).join('.') || 'the value'}: ${message}`)
    .join('; ')
  return all.length > 1_000 ? `${all.slice(0, 1_000)}…` : all
}
