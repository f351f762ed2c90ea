import { z } from 'zod'

/**
 * Names of the fields that a schema has at a path. Where it has several forms there, those of the form whose fixed
 * fields agree with `value`; of all forms when none does.
 */
export function knownFields(schema: z.ZodType, path: readonly PropertyKey[], value: unknown): string[] {
  const inner = path.reduce((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], value)
  const parts = descend(schema, path)
  const keys = parts.flatMap((part) =>
    part instanceof z.ZodRecord ? wordsOf(part.keyType as z.ZodType) : [],
  )
  const forms = parts.filter((part) => part instanceof z.ZodObject)
  const fitting = forms.filter((form) => fits(form, inner))
  const fields = (fitting.length > 0 ? fitting : forms).flatMap((form) => Object.keys(form.shape))
  return [...new Set([...fields, ...keys])]
}

/** What may stand in the field that tells the forms of an object apart. */
export function allowedKinds(schema: z.ZodType, path: readonly PropertyKey[], field: string): string[] {
  const kinds = descend(schema, path).flatMap((part) =>
    part instanceof z.ZodObject && part.shape[field] ? wordsOf(part.shape[field] as z.ZodType) : [],
  )
  return [...new Set(kinds)]
}

function wordsOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(String)
  return schema instanceof z.ZodEnum ? schema.options.map(String) : []
}

function fits(form: z.ZodObject, value: unknown): boolean {
  return Object.entries(form.shape).every(
    ([name, field]) =>
      !(field instanceof z.ZodLiteral) || field.safeParse((value as Record<string, unknown>)?.[name]).success,
  )
}

/** The schemas that may stand at a path. */
function descend(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType[] {
  let parts = formsOf(schema)
  for (const key of path) {
    parts = parts.flatMap((part) => {
      if (part instanceof z.ZodObject) {
        const field = part.shape[String(key)] ?? part.def.catchall
        return field ? formsOf(field as z.ZodType) : []
      }
      if (part instanceof z.ZodArray) return formsOf(part.element as z.ZodType)
      if (part instanceof z.ZodRecord) return formsOf(part.valueType as z.ZodType)
      return []
    })
  }
  return parts
}

/** What stands under optional, default and pipe; each of a union. */
function formsOf(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => formsOf(option as z.ZodType))
  if (schema instanceof z.ZodPipe) return formsOf(schema.in as z.ZodType)
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly
  )
    return formsOf(schema.unwrap() as z.ZodType)
  return [schema]
}
