import { createContext, Script } from 'node:vm'
import type { ErrorObject, Options, ValidateFunction } from 'ajv'
import { loadPackage } from '../base/load-package.ts'
import { shorten } from '../text/shorten.ts'

/** Arguments that have the shape of the tool's schema, or why they cannot be used. */
export type Arguments = { args: Record<string, unknown> } | { problem: string } | { broken: string }

type Schema = Readonly<Record<string, unknown>>

/**
 * Reads the arguments of a call and checks them against the tool's JSON Schema. A schema that cannot be used is `broken`. With
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
  const args = dropsNulls ? withoutNulls(value, schema) : (value as Record<string, unknown>)
  const validate = validatorOf(schema)
  if (typeof validate === 'string') return { broken: validate }
  try {
    if (validate(args)) return { args }
  } catch (error) {
    return { broken: problemOf(error) }
  }
  return { problem: (validate.errors ?? []).slice(0, 5).map(describeError).join(' ') }
}

function withoutNulls(value: object, { required }: Schema): Record<string, unknown> {
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.fromEntries(
    Object.entries(value).filter(([name, one]) => one !== null || needed.includes(name)),
  )
}

/** Returns why a JSON Schema cannot be used to check arguments; undefined if it can. */
export function schemaProblem(schema: Schema): string | undefined {
  const validate = validatorOf(schema)
  return typeof validate === 'string' ? validate : undefined
}

const validators = new WeakMap<object, ValidateFunction | string>()

function validatorOf(schema: Schema): ValidateFunction | string {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const made = compile(schema)
  validators.set(schema, made)
  return made
}

type NewAjv = new (options: Options) => { compile(schema: object): ValidateFunction }

/** Compiles a schema of draft 7 or, without a `$schema`, of 2020-12. Schemas of servers come from outside: none may throw. */
function compile(schema: Schema): ValidateFunction | string {
  const isOld = typeof schema.$schema === 'string' && /draft-0[67]/.test(schema.$schema)
  const { default: Ajv } = loadPackage(isOld ? 'ajv' : 'ajv/dist/2020') as { default: NewAjv }
  try {
    // One instance each: two servers may give their schemas the same $id.
    return new Ajv(options).compile(schema)
  } catch (error) {
    return problemOf(error)
  }
}

const options: Options = {
  strict: false,
  validateFormats: false,
  allErrors: true,
  logger: false,
  ownProperties: true,
  code: { regExp: Object.assign(boundedPattern, { code: 'boundedPattern' }) },
}

const patternMs = 200

const testPattern = new Script('new RegExp(source, flags).test(text)')
let sandbox: Record<string, string> | undefined

/** Compiles a pattern of a schema. Backtracking may take exponential time, so a test that takes longer than `patternMs` fails. */
function boundedPattern(source: string, flags: string) {
  const pattern = new RegExp(source, flags)
  return {
    // Ajv keeps one pattern for each text.
    toString: () => pattern.toString(),
    test(text: string): boolean {
      sandbox ??= createContext({}) as Record<string, string>
      Object.assign(sandbox, { source, flags, text })
      try {
        return testPattern.runInContext(sandbox, { timeout: patternMs })
      } catch {
        return false
      }
    },
  }
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

const problemOf = (error: unknown) => shorten(error instanceof Error ? error.message : String(error), 200)
