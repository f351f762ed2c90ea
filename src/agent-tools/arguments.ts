import type { ErrorObject, ValidateFunction } from 'ajv'
import { shorten } from '../text/shorten.ts'
import { type CompiledSchema, compileSchema } from './schemas/compile-schema.ts'
import type { Schema } from './schemas/upgrade-schema.ts'

/** Arguments that have the shape of the tool's schema, or what is wrong with them. */
export type Arguments = { args: Record<string, unknown> } | { problem: string }

/**
 * Reads the arguments of a call and checks them against the tool's JSON Schema, as far as it can be used: a server checks its own arguments, too. With
 * `dropsNulls`, an optional argument that is null counts as absent: some models write all that a schema names.
 */
export function readArguments(text: string, schema: Schema, { dropsNulls = false } = {}): Arguments {
  let value: unknown
  try {
    // Some models write nothing, or null, where a tool needs no arguments.
    value = text.trim() === '' ? {} : (JSON.parse(text) ?? {})
  } catch {
    // Node's own message differs between versions, and this text goes into a request.
    return { problem: 'they are not valid JSON.' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'they are not a JSON object.' }
  const { validate } = usableSchema(schema)
  const args = dropsNulls ? withoutNulls(value, schema) : (value as Record<string, unknown>)
  if (!validate || passes(validate, args)) return { args }
  return { problem: (validate.errors ?? []).slice(0, 5).map(describeError).join(' ') }
}

function withoutNulls(value: object, { required }: Schema): Record<string, unknown> {
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.fromEntries(
    Object.entries(value).filter(([name, one]) => one !== null || needed.includes(name)),
  )
}

/** Whether a value passes a check. One that a schema ends, as by a reference to itself, tells nothing. */
function passes(validate: ValidateFunction, value: unknown): boolean {
  try {
    return validate(value)
  } catch {
    return true
  }
}

const compiled = new WeakMap<object, CompiledSchema>()

/** Returns a schema as far as it can be checked; each is compiled once. */
export function usableSchema(schema: Schema): CompiledSchema {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const made = compileSchema(schema)
  compiled.set(schema, made)
  return made
}

function describeError({ instancePath, message, params }: ErrorObject): string {
  const place = instancePath === '' ? 'the arguments' : instancePath.slice(1).replaceAll('/', '.')
  const more =
    'additionalProperty' in params
      ? `: ${params.additionalProperty}`
      : 'allowedValues' in params
        ? `: ${JSON.stringify(params.allowedValues)}`
        : ''
  return shorten(`${place}: ${message ?? 'is wrong'}${more}.`, 200)
}
