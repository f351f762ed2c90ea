import type { AnySchema, ErrorObject, Options, ValidateFunction } from 'ajv'
import { loadPackage } from '../base/load-package.ts'
import { isObject } from '../text/is-object.ts'
import { shorten } from '../text/shorten.ts'
import { boundedPattern, type Schema, upgradeSchema } from './upgrade-schema.ts'

interface CompiledSchema {
  /** The schema by 2020-12, without what is wrong in it. */
  schema: Schema
  /** Checks arguments; absent if nothing of the schema can be checked. */
  validate?: ValidateFunction
  /** What is not checked, each as a phrase. */
  leftOut: readonly string[]
}

interface Ajv {
  compile(schema: AnySchema): ValidateFunction
  validateSchema(schema: AnySchema): unknown
  errors?: ErrorObject[] | null
}

const options: Options = {
  strict: false,
  validateFormats: false,
  allErrors: true,
  logger: false,
  ownProperties: true,
  code: { regExp: Object.assign(boundedPattern, { code: 'boundedPattern' }) },
}

/** One instance for each schema: two servers may give their schemas the same $id. */
function createAjv(): Ajv {
  const { default: Ajv } = loadPackage('ajv/dist/2020') as { default: new (options: Options) => Ajv }
  return new Ajv(options)
}

/** How often a schema is tried again without what is wrong in it. */
const mostTries = 30

/** Compiles a schema of any draft. It comes from outside: what cannot be used is left out, and nothing is thrown. */
function compileSchema(given: Schema): CompiledSchema {
  const leftOut: string[] = []
  let schema: Fields = {}
  try {
    schema = structuredClone(upgradeSchema(given, leftOut)) as Fields
    leaveWrong(schema, leftOut)
    return { schema, validate: compileWithout(schema, leftOut), leftOut: [...new Set(leftOut)] }
  } catch (error) {
    const why = shorten(error instanceof Error ? error.message : String(error), 200)
    return { schema, leftOut: [`the whole schema (${why})`] }
  }
}

type Fields = Record<string, unknown>

/** Takes out keywords whose values 2020-12 does not know. */
function leaveWrong(schema: Fields, leftOut: string[]): void {
  const ajv = createAjv()
  for (let tries = 0; tries < mostTries; tries++) {
    if (ajv.validateSchema(schema)) return
    const errors = ajv.errors ?? []
    // The deepest first: what stands above may be right without them.
    const deepest = Math.max(...errors.map(({ instancePath }) => depthOf(instancePath)))
    const wrong = errors.filter(({ instancePath }) => depthOf(instancePath) === deepest)
    for (const path of new Set(wrong.map(({ instancePath }) => instancePath).reverse())) {
      const isSchema = wrong.some(
        ({ instancePath, params }) => instancePath === path && String(params.type) === 'object,boolean',
      )
      takeOut(schema, path, isSchema)
      leftOut.push(path.slice(1).replaceAll('/', '.'))
    }
  }
}

const depthOf = (path: string) => path.split('/').length

function takeOut(schema: Fields, path: string, isSchema: boolean): void {
  const names = path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const last = names.pop()
  let parent: unknown = schema
  for (const name of names) parent = (parent as Fields)[name]
  if (last === undefined) throw new Error('it is no JSON Schema')
  // A schema of a property that is none says nothing about it, but the property stays.
  if (isSchema) (parent as Fields)[last] = {}
  else if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else delete (parent as Fields)[last]
}

/** Compiles a schema; references that lead nowhere, or to another machine, are taken out. */
function compileWithout(schema: Fields, leftOut: string[]): ValidateFunction {
  for (let tries = 0; ; tries++) {
    try {
      return createAjv().compile(schema)
    } catch (error) {
      const { missingRef } = error as { missingRef?: string }
      const isGone =
        tries < mostTries &&
        (missingRef === undefined
          ? takeKeyword(schema, '$id', () => true) > 0
          : takeKeyword(schema, '$ref', (ref) => missingRef.endsWith(ref)) > 0)
      if (!isGone) throw error
      if (missingRef !== undefined) leftOut.push(`the reference ${missingRef}`)
    }
  }
}

function takeKeyword(value: unknown, name: string, isMeant: (text: string) => boolean): number {
  if (Array.isArray(value)) return value.reduce((sum, one) => sum + takeKeyword(one, name, isMeant), 0)
  if (!isObject(value)) return 0
  const own = value[name]
  const isOwn = typeof own === 'string' && isMeant(own)
  if (isOwn) delete value[name]
  return Object.values(value).reduce<number>(
    (sum, one) => sum + takeKeyword(one, name, isMeant),
    isOwn ? 1 : 0,
  )
}

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
