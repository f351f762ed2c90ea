import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { JsonSchema } from './judge-mark.ts'

/** What a value is read as, or why it does not fit. */
export type Fit<Reply> = { data: Reply } | { problem: string }

/** Levels of wrappers that are opened. */
const deepest = 3
/** Most values of a wrapper that are tried. */
const mostFields = 50

/**
 * Reads a value of a shape. One that does not fit may be a wrapper, such as a list with one value: then the only value in it that fits
 * counts. A quoted schema is no value.
 */
export function fitValue<Reply>(
  value: unknown,
  shape: z.ZodType<Reply>,
  schema: JsonSchema | undefined,
): Fit<Reply> {
  if (schema && isSchema(value, schema)) return { problem: 'it repeats the JSON Schema.' }
  const fit = fitItself(value, shape)
  if ('data' in fit) return fit
  const inner = fitInside(value, shape, schema, deepest)
  return inner.length === 1 ? { data: inner[0] as Reply } : fit
}

/** Reads a value of a shape, and never one that lies within it. */
export function fitItself<Reply>(value: unknown, shape: z.ZodType<Reply>): Fit<Reply> {
  const parsed = shape.safeParse(value)
  return parsed.success ? { data: parsed.data } : { problem: issuesOf(parsed.error) }
}

function fitInside<Reply>(
  value: unknown,
  shape: z.ZodType<Reply>,
  schema: JsonSchema | undefined,
  levels: number,
): Reply[] {
  if (levels === 0 || typeof value !== 'object' || value === null) return []
  const fields = Object.values(value)
  if (fields.length > mostFields) return []
  return fields.flatMap((field) => {
    if (typeof field !== 'object' || field === null || (schema && isSchema(field, schema))) return []
    const parsed = shape.safeParse(field)
    return parsed.success ? [parsed.data] : fitInside(field, shape, schema, levels - 1)
  })
}

/** Whether a value is the schema or an object within it. */
function isSchema(value: unknown, schema: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (Object.keys(value).length === 0 || typeof schema !== 'object' || schema === null) return false
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
