import { formats, guesses, patternOf } from './summary-text.ts'

/** The content to put into a shape. */
export interface ShapeContent {
  /** How good the work looks, from 0 to 1; decides numbers. */
  signal: number
  /** Decides booleans and enums of good and bad words. */
  approved: boolean
  /** Number of items in arrays without bounds. */
  items: number
  /** Returns the text of the n-th string, counted from 0. */
  text: (index: number) => string
  /** Chooses a value of an enum; undefined leaves the choice to `approved`. */
  choose?: (values: readonly unknown[]) => unknown
  /** Returns the signal of a rating, by its values of enums and all works that its first enum names; undefined: `signal`. */
  rate?: (rated: { row: readonly string[]; works: readonly string[] }) => number | undefined
}

/** A marker at the end of the first string of any length, where the caller may insert text. */
export const textPlace = '\uE000'

type Schema = Readonly<Record<string, unknown>>

interface Filler extends ShapeContent {
  root: Schema
  strings: number
  ids: number
  slotUsed: boolean
  /** Values so far. */
  values: number
}

const maxDepth = 12

/** A schema that asks for more is given up: it may be of a server, and have no end. */
const [mostValues, mostDepth, mostCharacters] = [100_000, 200, 100_000]

/**
 * Returns a value of a JSON Schema as zod writes it, equal for equal input. Strings with an unknown pattern are a guess. Throws for a
 * schema whose values are too large, or that is none.
 */
export function fillShape(schema: Schema, filling: ShapeContent): unknown {
  return fill(schema, { ...filling, root: schema, strings: 0, ids: 0, slotUsed: false, values: 0 }, '', 0)
}

function fill(given: Schema | boolean, filler: Filler, name: string, depth: number): unknown {
  if (++filler.values > mostValues || depth > mostDepth) throw new Error('the schema has no small value')
  // Everything matches `true`.
  const schema = typeof given === 'object' && given !== null ? given : {}
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return fromEnum(schema.enum, filler)
  if (typeof schema.$ref === 'string') return fill(resolve(schema.$ref, filler.root), filler, name, depth + 1)
  if (Array.isArray(schema.allOf)) return fill(merged(schema), filler, name, depth + 1)
  const branches = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined
  if (branches) return fill(branchOf(branches, depth), filler, name, depth + 1)
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
  switch (type) {
    case 'object':
      return object(schema, filler, depth)
    case 'array':
      return array(schema, filler, name, depth)
    case 'string':
      return string(schema, filler, name)
    case 'number':
    case 'integer':
      return number(schema, filler.signal, type === 'integer')
    case 'boolean':
      return filler.approved
    case 'null':
      return null
    default:
      return 'properties' in schema ? object(schema, filler, depth) : text(filler)
  }
}

/** Chooses a branch. Beyond the maximum depth it prefers null, then a plain value, so that recursion ends. */
function branchOf(branches: readonly Schema[], depth: number): Schema {
  const plain = (branch: Schema) =>
    branch.type === 'null' ||
    (branch.type !== undefined && branch.type !== 'object' && branch.type !== 'array')
  const last =
    depth >= maxDepth ? (branches.find(({ type }) => type === 'null') ?? branches.find(plain)) : undefined
  return last ?? branches.find(({ type }) => type !== 'null') ?? branches[0] ?? {}
}

function object(schema: Schema, filler: Filler, depth: number): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, Schema>
  const required = new Set((schema.required as string[] | undefined) ?? [])
  const filled: Record<string, unknown> = {}
  const set = (key: string, value: unknown) =>
    Object.defineProperty(filled, key, { value, enumerable: true, configurable: true, writable: true })
  for (const [key, property] of Object.entries(properties)) {
    if (required.has(key) || depth < maxDepth / 2) set(key, fill(property, filler, key, depth + 1))
  }
  const rest = schema.additionalProperties as Schema | boolean | undefined
  const names = (schema.propertyNames as Schema | undefined)?.enum as string[] | undefined
  if (rest && typeof rest === 'object') {
    for (const key of names ?? [...required])
      if (!Object.hasOwn(filled, key)) set(key, fill(rest, filler, key, depth + 1))
  }
  return filled
}

function array(schema: Schema, filler: Filler, name: string, depth: number): unknown[] {
  const prefix = (schema.prefixItems as readonly Schema[] | undefined) ?? []
  const filled = prefix.map((item) => fill(item, filler, name, depth + 1))
  const items = schema.items as Schema | undefined
  if (prefix.length === 0 && isRating(items)) return ratings(items, filler, Number(schema.maxItems ?? most))
  if (schema.items === false || (prefix.length > 0 && schema.items === undefined)) return filled
  const least = Number(schema.minItems ?? 0)
  const wanted = depth >= maxDepth / 2 ? 0 : filler.items
  const count = Math.min(Math.max(least, wanted), Number(schema.maxItems ?? Number.POSITIVE_INFINITY))
  while (filled.length < count)
    filled.push(fill((schema.items as Schema | undefined) ?? {}, filler, name, depth + 1))
  return filled
}

const most = 1000

/** Whether items are ratings: numbers for values of enums, and nothing else, such as a score by target and criterion. */
function isRating(items: Schema | undefined): items is Schema & { properties: Record<string, Schema> } {
  const fields = Object.values((items?.properties ?? {}) as Record<string, Schema>)
  const count = fields.filter((field) => Array.isArray(field.enum)).length
  return (
    count > 0 &&
    count < fields.length &&
    fields.every((field) => Array.isArray(field.enum) || field.type === 'number' || field.type === 'integer')
  )
}

function ratings({ properties }: { properties: Record<string, Schema> }, filler: Filler, limit: number) {
  const enums = Object.values(properties).flatMap((field) => (Array.isArray(field.enum) ? [field.enum] : []))
  const rows = enums.reduce<unknown[][]>(
    (all, values) => all.flatMap((row) => values.map((value) => [...row, value])).slice(0, limit),
    [[]],
  )
  return rows.map((row) => {
    const rated = { row: row.map(String), works: (enums[0] ?? []).map(String) }
    const own = { ...filler, signal: filler.rate?.(rated) ?? filler.signal }
    const left = [...row]
    const filled = Object.entries(properties).map(([key, field]) => [
      key,
      Array.isArray(field.enum) ? left.shift() : fill(field, own, key, maxDepth),
    ])
    return Object.fromEntries(filled) as Record<string, unknown>
  })
}

function string(schema: Schema, filler: Filler, name: string): string {
  const known = typeof schema.format === 'string' ? formats[schema.format] : undefined
  if (known !== undefined) return known
  if (typeof schema.pattern === 'string') {
    const pattern = patternOf(schema.pattern)
    const guess = guesses.find((one) => pattern.test(one) && fits(one, schema))
    if (guess !== undefined) return guess
  }
  const least = Number(schema.minLength ?? 0)
  if (least > mostCharacters) throw new Error('the schema has no small value')
  const most = Number(schema.maxLength ?? Number.POSITIVE_INFINITY)
  if (/^id$|[a-z]Id$/.test(name) && most >= 4) return `V${++filler.ids}`.padEnd(least, '0')
  if (most < Number.POSITIVE_INFINITY)
    return filler
      .text(filler.strings++)
      .padEnd(least, '.')
      .slice(0, most)
  return text(filler).padEnd(least, '.')
}

function text(filler: Filler): string {
  const written = filler.text(filler.strings++)
  if (filler.slotUsed) return written
  filler.slotUsed = true
  return written + textPlace
}

const fits = (text: string, { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema) =>
  text.length >= Number(minLength) && text.length <= Number(maxLength)

const bound = (value: unknown) =>
  typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined

function number(schema: Schema, signal: number, integer: boolean): number {
  const step = Number(schema.multipleOf ?? (integer ? 1 : 0))
  const inside = step || 1e-6
  const open = (value: number | undefined, by: number) => (value === undefined ? undefined : value + by)
  const low = highest(bound(schema.minimum), open(bound(schema.exclusiveMinimum), inside))
  const high = lowest(bound(schema.maximum), open(bound(schema.exclusiveMaximum), -inside))
  const width = Math.max(1, step)
  const from = low ?? Math.min(0, (high ?? width) - width)
  const to = high === undefined ? from + width : low === undefined ? Math.min(high, from + width) : high
  const value = from + signal * (to - from)
  // 3.7, not 3.6999999999999997.
  if (!step) return Math.min(to, Math.max(from, Math.round(value * 1e6) / 1e6))
  return step * Math.max(Math.ceil(from / step), Math.min(Math.floor(to / step), Math.round(value / step)))
}

const highest = (a: number | undefined, b: number | undefined) =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b)
const lowest = (a: number | undefined, b: number | undefined) =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b)

const good =
  /^(pass(ed)?|approved?|accept(ed)?|ok(ay)?|yes|done|success|satisfied|correct|compliant|complete[d]?|good|merge|ship|proceed|true)$/i
const bad =
  /^(fail(ed|ure)?|reject(ed)?|no|incorrect|wrong|revise|retry|bad|block(ed)?|incomplete|changes?([ _-]requested)?|false|error)$/i

function fromEnum(values: readonly unknown[], { choose, approved }: Filler): unknown {
  const chosen = choose?.(values)
  if (chosen !== undefined && values.includes(chosen)) return chosen
  const word = approved ? good : bad
  return values.find((value) => word.test(String(value))) ?? (approved ? values[0] : values.at(-1))
}

function resolve(ref: string, root: Schema): Schema {
  let found: unknown = root
  for (const part of ref.split('/').slice(1)) {
    found = (found as Schema | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return (found as Schema | undefined) ?? {}
}

function merged({ allOf, ...rest }: Schema): Schema {
  const parts = [rest, ...(allOf as readonly Schema[])]
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}))
  const required = parts.flatMap((part) => (part.required as string[] | undefined) ?? [])
  return {
    ...Object.assign({}, ...parts),
    ...(Object.keys(properties).length > 0 && { type: 'object', properties, required }),
  }
}
