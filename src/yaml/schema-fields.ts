import { z } from 'zod'

/**
 * Returns the names of the fields that a schema has at a path. For a union, those of the option whose literal fields match `value`,
 * or of all options if none does.
 */
export function knownFields(schema: z.ZodType, path: readonly PropertyKey[], value: unknown): string[] {
  const parts = schemasAt(schema, path, value)
  const keys = parts.flatMap((part) =>
    part instanceof z.ZodRecord ? wordsOf(part.keyType as z.ZodType) : [],
  )
  const fields = parts.flatMap((part) => (part instanceof z.ZodObject ? Object.keys(part.shape) : []))
  return [...new Set([...fields, ...keys])]
}

/** Returns the values of the field that discriminates the options of a union. */
export function allowedKinds(schema: z.ZodType, path: readonly PropertyKey[], field: string): string[] {
  const kinds = schemasAt(schema, path).flatMap((part) =>
    part instanceof z.ZodObject && Object.hasOwn(part.shape, field)
      ? wordsOf(part.shape[field] as z.ZodType)
      : [],
  )
  return [...new Set(kinds)]
}

function wordsOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(String)
  return schema instanceof z.ZodEnum ? schema.options.map(String) : []
}

function matchesLiterals(form: z.ZodObject, value: unknown): boolean {
  return Object.entries(form.shape).every(
    ([name, field]) =>
      !isDiscriminator(field as z.ZodType) ||
      (field as z.ZodType).safeParse((value as Record<string, unknown>)?.[name]).success,
  )
}

/** Whether a field tells the options of a union apart: by a literal, or because it must be absent. */
const isDiscriminator = (field: z.ZodType) =>
  field instanceof z.ZodLiteral ||
  (field instanceof z.ZodOptional && (field.unwrap() as z.ZodType) instanceof z.ZodUndefined)

/** Returns the possible schemas at a path. With a value, only the options of each union that fit it, if any do. */
function schemasAt(schema: z.ZodType, path: readonly PropertyKey[], value?: unknown): z.ZodType[] {
  let inner = value
  let parts = fitting(unwrapSchema(schema), inner)
  for (const key of path) {
    inner = (inner as Record<PropertyKey, unknown> | undefined)?.[key]
    parts = parts.flatMap((part) => {
      if (part instanceof z.ZodObject) {
        const field = Object.hasOwn(part.shape, key) ? part.shape[String(key)] : part.def.catchall
        return field ? unwrapSchema(field as z.ZodType) : []
      }
      if (part instanceof z.ZodArray) return unwrapSchema(part.element as z.ZodType)
      if (part instanceof z.ZodRecord) return unwrapSchema(part.valueType as z.ZodType)
      return []
    })
    parts = fitting(parts, inner)
  }
  return parts
}

/** Leaves out the objects whose literal fields do not match a value, unless that leaves none. */
function fitting(parts: z.ZodType[], value: unknown): z.ZodType[] {
  if (value === undefined) return parts
  const fits = (part: z.ZodType) => !(part instanceof z.ZodObject) || matchesLiterals(part, value)
  const isAny = parts.some((part) => part instanceof z.ZodObject && fits(part))
  return isAny ? parts.filter(fits) : parts
}

/** Removes optional, default, lazy and pipe; returns each option of a union. */
function unwrapSchema(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) => unwrapSchema(option as z.ZodType))
  if (schema instanceof z.ZodPipe) return unwrapSchema(schema.in as z.ZodType)
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodLazy
  )
    return unwrapSchema(schema.unwrap() as z.ZodType)
  return [schema]
}
