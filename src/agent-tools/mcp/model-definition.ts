import { canonicalJson } from '../../text/canonical-json.ts'
import { isObject } from '../../text/is-object.ts'
import { usableSchema } from '../arguments.ts'
import type { Schema } from '../upgrade-schema.ts'

interface Description {
  description: string
  inputSchema: Schema
}

/**
 * Returns what models see of a server's tool. Vendors refuse a whole request, or send a tool without its arguments, if one schema has
 * alternatives at its top or is of another draft than 2020-12. So models get one object with all arguments, and the description says the rest.
 */
export function modelDefinition({ description, inputSchema }: Description): Description {
  const { schema } = usableSchema(inputSchema)
  const { $schema, ...rest } = inputSchema
  // A schema that all vendors take stays as it is.
  const isUsual = $schema === undefined || /draft-07|2020-12/.test(String($schema))
  const usable = isUsual && canonicalJson(rest) === canonicalJson(schema) ? inputSchema : schema
  const { schema: flat, lost } = flattenSchema(usable)
  if (lost === undefined) return { description, inputSchema: flat }
  const words = `The arguments must also match this JSON Schema: ${JSON.stringify(lost)}`
  return { description: [description, words].filter((one) => one !== '').join('\n\n'), inputSchema: flat }
}

/** Names of arguments that a vendor refuses: Anthropic takes these characters alone, in the first level. */
export const refusedArguments = ({ properties = {} }: Schema): string[] =>
  Object.keys(properties as object).filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))

/** An object's schema in parts, and the keywords that its parts cannot say. */
interface Parts {
  properties: Record<string, unknown>
  required: readonly string[]
  /** Whether it refuses other properties. */
  isClosed: boolean
  lost: readonly Schema[]
}

const refused = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', 'if', 'then', 'else', '$ref']

/** The deepest nesting of alternatives that is looked through: a reference may lead to itself. */
const deepest = 20

/**
 * Returns the schema of an object without alternatives, references and conditions at its top: all properties of all of them, and those
 * required that are required in each. `lost` is a schema of what this one does not say any more.
 */
function flattenSchema(schema: Schema): { schema: Schema; lost?: Schema } {
  if (refused.every((name) => !(name in schema))) return { schema }
  const { properties, required, isClosed, lost } = partsOf(schema, schema, deepest)
  const { additionalProperties, ...rest } = Object.fromEntries(
    Object.entries(schema).filter(([name]) => !refused.includes(name)),
  )
  const open = additionalProperties === false ? undefined : additionalProperties
  return {
    schema: {
      ...rest,
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      ...(isClosed ? { additionalProperties: false } : open !== undefined && { additionalProperties: open }),
    },
    ...(lost.length > 0 && { lost: lost.length === 1 ? (lost[0] as Schema) : { allOf: lost } }),
  }
}

function partsOf(schema: unknown, root: Schema, depth: number): Parts {
  const none = { properties: {}, required: [], isClosed: false, lost: [] }
  if (!isObject(schema) || depth === 0) return none
  const inner = (one: unknown) => partsOf(one, root, depth - 1)
  const { anyOf, oneOf, allOf, if: condition, then, else: otherwise, $ref } = schema
  const own: Parts = {
    properties: isObject(schema.properties) ? schema.properties : {},
    required: Array.isArray(schema.required) ? schema.required : [],
    isClosed: schema.additionalProperties === false || schema.unevaluatedProperties === false,
    lost: [],
  }
  const all = [...listOf(allOf), ...(typeof $ref === 'string' ? [resolveRef($ref, root)] : [])]
  let parts = all.map(inner).reduce(bothOf, own)
  for (const [name, branches] of Object.entries({ anyOf, oneOf }))
    if (Array.isArray(branches))
      parts = bothOf(parts, {
        ...eitherOf(branches.filter(isOfObjects).map(inner)),
        lost: [{ [name]: branches }],
      })
  if (condition !== undefined) {
    const { properties } = eitherOf([then, otherwise].map(inner))
    const lost = [
      Object.fromEntries(Object.entries(schema).filter(([name]) => ['if', 'then', 'else'].includes(name))),
    ]
    parts = bothOf(parts, { ...none, properties, lost })
  }
  for (const name of ['not', 'enum', 'const'])
    if (name in schema) parts = { ...parts, lost: [...parts.lost, { [name]: schema[name] }] }
  return parts
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Whether a schema allows objects, as arguments always are. */
const isOfObjects = (schema: unknown) =>
  isObject(schema) ? schema.type === undefined || [schema.type].flat().includes('object') : schema !== false

function bothOf(a: Parts, b: Parts): Parts {
  return {
    properties: joined([a.properties, b.properties], 'allOf'),
    required: [...new Set([...a.required, ...b.required])],
    // A property that the other one names would be refused, though most servers mean it to be given.
    isClosed: a.isClosed || b.isClosed,
    lost: [...a.lost, ...b.lost],
  }
}

/** Returns the parts of an object that matches one of several. What is lost in one of them is told with all of them. */
function eitherOf(all: readonly Parts[]): Omit<Parts, 'lost'> {
  const [first, ...others] = all
  return {
    properties: joined(
      all.map(({ properties }) => properties),
      'anyOf',
    ),
    required: (first?.required ?? []).filter((name) =>
      others.every(({ required }) => required.includes(name)),
    ),
    isClosed: first !== undefined && all.every(({ isClosed }) => isClosed),
  }
}

/** Joins properties. One that is described in several ways gets all of them. */
function joined(
  all: readonly Readonly<Record<string, unknown>>[],
  how: 'anyOf' | 'allOf',
): Record<string, unknown> {
  const schemas = new Map<string, unknown[]>()
  for (const [name, schema] of all.flatMap((one) => Object.entries(one))) {
    const known = schemas.get(name) ?? []
    const isNew = known.every((one) => canonicalJson(one) !== canonicalJson(schema))
    schemas.set(name, isNew ? [...known, schema] : known)
  }
  return Object.fromEntries(
    [...schemas].map(([name, known]) => [
      name,
      known.length === 1 ? known[0] : (enumOf(known, how) ?? { [how]: known }),
    ]),
  )
}

/** Returns one list of words for alternatives that are words each, as a field that tells kinds apart. */
function enumOf(schemas: readonly unknown[], how: 'anyOf' | 'allOf'): Schema | undefined {
  const words = schemas.map((one) => (isObject(one) ? ('const' in one ? [one.const] : listOf(one.enum)) : []))
  const isWords = words.every((list) => list.length > 0 && list.every((word) => typeof word === 'string'))
  return how === 'anyOf' && isWords ? { type: 'string', enum: [...new Set(words.flat())] } : undefined
}

function resolveRef(ref: string, root: Schema): unknown {
  if (!ref.startsWith('#')) return undefined
  let found: unknown = root
  for (const name of ref.split('/').slice(1))
    found = isObject(found) || Array.isArray(found) ? (found as Schema)[decode(name)] : undefined
  return found
}

const decode = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~')
