import { createContext, Script } from 'node:vm'
import { isObject } from '../text/is-object.ts'

/** The longest time of one test; ms. */
const patternMs = 200

const testPattern = new Script('new RegExp(source, flags).test(text)')
let sandbox: Record<string, string> | undefined

/** A pattern as JavaScript writes it. */
interface Readable {
  source: string
  flags: string
}

/** Escapes that JavaScript without the flag `u` would read as letters, such as `\A` or `\p{L}`. */
const onlyUnicode = /\\(?:[pPu][{]|[^\W\dbBcdDfknrsStuvwWx])/

/**
 * Reads a pattern of a schema as Python, PCRE, Go and Java write it: flags at the beginning, `\A`, `\Z`, names with `P`, and escapes that
 * JavaScript does not need. Undefined if JavaScript cannot read it.
 */
function readPattern(pattern: string): Readable | undefined {
  const [, letters = '', rest = pattern] = /^\(\?([aimsu]+)\)([\s\S]*)$/.exec(pattern) ?? []
  const flags = ['i', 'm', 's'].filter((letter) => letters.includes(letter)).join('')
  const source = rest
    .replace(/\(\?P</g, '(?<')
    .replace(/\(\?P=(\w+)\)/g, '\\k<$1>')
    // Pairs of backslashes first: what follows them is no escape.
    .replace(/\\\\|\\([\s\S])/g, (all, next: string | undefined) => escapeOf(next) ?? all)
  const unicode = { source, flags: `${flags}u` }
  if (compiles(unicode)) return unicode
  const plain = { source, flags }
  return !onlyUnicode.test(source) && compiles(plain) ? plain : undefined
}

function escapeOf(next: string | undefined): string | undefined {
  if (next === undefined) return undefined
  if (next === 'A') return '^'
  if (next === 'Z' || next === 'z') return '$'
  if (next === '-') return '\\x2d'
  return /[\w^$\\.*+?()[\]{}|/]/.test(next) ? undefined : next
}

function compiles({ source, flags }: Readable): boolean {
  try {
    new RegExp(source, flags)
    return true
  } catch {
    return false
  }
}

const isReadable = (pattern: string): boolean => readPattern(pattern) !== undefined

/** Compiles a pattern for a schema's check. Backtracking may take exponential time, so a test that takes longer than `patternMs` fails. */
export function boundedPattern(pattern: string) {
  const read = readPattern(pattern)
  if (!read) throw new Error(`the pattern ${pattern} cannot be read`)
  return {
    // Ajv keeps one pattern for each text.
    toString: () => `/${read.source}/${read.flags}`,
    test(text: string): boolean {
      sandbox ??= createContext({}) as Record<string, string>
      Object.assign(sandbox, { ...read, text })
      try {
        return testPattern.runInContext(sandbox, { timeout: patternMs })
      } catch {
        return false
      }
    },
  }
}

export type Schema = Readonly<Record<string, unknown>>
type Fields = Record<string, unknown>

/** Keywords that hold schemas: by name, in a list, or one. */
const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const
const singles = [
  ...['additionalProperties', 'unevaluatedProperties', 'items', 'unevaluatedItems', 'contains'],
  ...['not', 'if', 'then', 'else', 'propertyNames'],
]

/** Keywords whose value may be null. */
const values = ['const', 'default', 'enum', 'examples', 'example']

/**
 * Returns a schema of any draft as one of 2020-12. Adds to `leftOut` what 2020-12 cannot say. Many servers name no draft, or another
 * one than they write.
 */
export function upgradeSchema(schema: unknown, leftOut: string[]): unknown {
  if (!isObject(schema)) return schema
  const fields = withNewKeywords(schema, leftOut)
  for (const name of maps) {
    const map = fields[name]
    if (isObject(map))
      fields[name] = Object.fromEntries(
        Object.entries(map).map(([key, one]) => [key, upgradeSchema(one, leftOut)]),
      )
  }
  for (const name of lists) {
    const list = fields[name]
    if (Array.isArray(list)) fields[name] = list.map((one) => upgradeSchema(one, leftOut))
  }
  for (const name of singles) if (isObject(fields[name])) fields[name] = upgradeSchema(fields[name], leftOut)
  return fields
}

function withNewKeywords(schema: Fields, leftOut: string[]): Fields {
  const fields = Object.fromEntries(
    Object.entries(schema).filter(([name, value]) => value !== null || values.includes(name)),
  )
  // An asynchronous check would return a promise.
  for (const name of ['$schema', '$async', '$recursiveAnchor']) delete fields[name]
  if (typeof fields.id === 'string') delete fields.id
  if (typeof fields.$recursiveRef === 'string') {
    fields.$ref ??= fields.$recursiveRef
    delete fields.$recursiveRef
  }
  if (fields.type === 'any') delete fields.type
  upgradeRequired(fields)
  upgradeBound(fields, 'exclusiveMinimum', 'minimum')
  upgradeBound(fields, 'exclusiveMaximum', 'maximum')
  upgradeItems(fields)
  upgradeDependencies(fields)
  upgradeNullable(fields)
  leavePatterns(fields, leftOut)
  return fields
}

/** Before draft 4 each property said by a boolean whether it is required. */
function upgradeRequired(fields: Fields): void {
  const own = Object.entries(isObject(fields.properties) ? fields.properties : {}).flatMap(([name, one]) =>
    isObject(one) && one.required === true ? [name] : [],
  )
  if (Array.isArray(fields.required) || own.length > 0)
    fields.required = [...new Set([...(Array.isArray(fields.required) ? fields.required : []), ...own])]
  else if (typeof fields.required === 'boolean') delete fields.required
}

/** Up to draft 4, and in OpenAPI 3.0, a boolean says that a bound is exclusive. */
function upgradeBound(fields: Fields, exclusive: string, bound: string): void {
  if (typeof fields[exclusive] !== 'boolean') return
  const isExclusive = fields[exclusive] && typeof fields[bound] === 'number'
  delete fields[exclusive]
  if (!isExclusive) return
  fields[exclusive] = fields[bound]
  delete fields[bound]
}

/** Up to 2019-09 a list of schemas for the first items stands under `items`. */
function upgradeItems(fields: Fields): void {
  if (Array.isArray(fields.items)) {
    fields.prefixItems = fields.items
    delete fields.items
    if (fields.additionalItems !== undefined) fields.items = fields.additionalItems
    if ((fields.prefixItems as unknown[]).length === 0) delete fields.prefixItems
  }
  delete fields.additionalItems
}

function upgradeDependencies(fields: Fields): void {
  if (!isObject(fields.dependencies)) return
  const all = Object.entries(fields.dependencies)
  delete fields.dependencies
  const names = all.filter(([, one]) => Array.isArray(one))
  const schemas = all.filter(([, one]) => !Array.isArray(one))
  if (names.length > 0) fields.dependentRequired ??= Object.fromEntries(names)
  if (schemas.length > 0) fields.dependentSchemas ??= Object.fromEntries(schemas)
}

/** In OpenAPI 3.0, `nullable` adds null to a type. */
function upgradeNullable(fields: Fields): void {
  const { nullable, type } = fields
  if (typeof nullable !== 'boolean') return
  delete fields.nullable
  if (!nullable || typeof type !== 'string') return
  fields.type = [type, 'null']
  if (Array.isArray(fields.enum) && !fields.enum.includes(null)) fields.enum = [...fields.enum, null]
}

/** Leaves out patterns that JavaScript cannot read. A model still gets them, in words. */
function leavePatterns(fields: Fields, leftOut: string[]): void {
  const { pattern, patternProperties, description } = fields
  const leave = (text: string) => leftOut.push(`the pattern ${text}`)
  if (typeof pattern === 'string' && !isReadable(pattern)) {
    leave(pattern)
    delete fields.pattern
    const words = `Must match the pattern ${pattern}.`
    fields.description = typeof description === 'string' ? `${description} ${words}` : words
  }
  if (!isObject(patternProperties)) return
  const unreadable = Object.keys(patternProperties).filter((one) => !isReadable(one))
  if (unreadable.length === 0) return
  unreadable.forEach(leave)
  fields.patternProperties = Object.fromEntries(
    Object.entries(patternProperties).filter(([one]) => isReadable(one)),
  )
  // A property that only such a pattern allows must not be refused.
  for (const name of ['additionalProperties', 'unevaluatedProperties']) delete fields[name]
}
