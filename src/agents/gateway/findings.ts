import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../text/is-object.ts'
import type { Json } from '../wire/json.ts'

/** Something in a request's body that is not plainly the work of a model. */
export interface Finding {
  /** Its name as a tool of the provider. */
  name: string
  /** What it is, as the end of a sentence about the request. */
  problem: string
  /** The provider does it, and `--allow-provider-tools` lets it pass. Else nothing does. */
  isProviders: boolean
  /** What was found: no other model may be named in it. */
  found?: unknown
}

/** What the provider runs, reads or keeps by itself. */
export const ofProvider = (name: string, problem: string, found?: unknown): Finding => ({
  name,
  problem,
  isProviders: true,
  found,
})

/** What may change the price or the model, or what bench does not know. */
export const never = (name: string, problem: string): Finding => ({ name, problem, isProviders: false })

/** Judges one value of a body; `place` names it. */
export type Shape = (value: unknown, place: string) => Iterable<Finding>

/** Shapes by the name of a field. */
export type Shapes = Readonly<Record<string, Shape>>

/** One shape for the names in a text. */
export const each = (names: string, shape: Shape): Shapes =>
  Object.fromEntries(names.split(' ').map((name) => [name, shape]))

/** How a field whose name is not on the list is found. */
type Unknown = (name: string, told: string, found: unknown) => Finding

const unknownTo =
  (finding: Unknown) =>
  (free: string, shapes: Shapes = {}, nameOf = (field: string) => field): Shape => {
    const known = new Set(free.split(' '))
    return function* (value, place) {
      if (Array.isArray(value) && value.length === 0) return
      if (!isObject(value)) return yield finding(String(value), `has ${place} that is no object`, value)
      for (const [field, inner] of Object.entries(value)) {
        const name = nameOf(field)
        if (inner === null || known.has(name)) continue
        const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined
        if (shape) yield* shape(inner, `a field "${name}" in ${place}`)
        else yield finding(name, `has the field "${field}" in ${place}`, { [field]: inner })
      }
    }
  }

/** An object of a conversation: the fields `free` may have any value, others the shape of theirs. A field that is null is as good as absent. */
export const record = unknownTo((name, told, found) =>
  ofProvider(name, `${told}, which bench does not let pass`, found),
)

/** An object of settings, in which an unknown field may change the price. */
export const setting = unknownTo((name, told) =>
  never(name, `${told}, which this version of bench does not know`),
)

/** Each item of a list, also of lists in it; a single value is the only item. */
export const list = (one: Shape): Shape =>
  function* (value, place) {
    for (const item of flat(value)) yield* one(item, place)
  }

/** A shape for objects that have all of these fields. */
export const having = (fields: string, shape: Shape): Shape =>
  function* (value, place) {
    const missing = isObject(value) && fields.split(' ').find((field) => value[field] == null)
    if (missing) yield ofProvider(missing, `has ${place} without "${missing}"`, value)
    else yield* shape(value, place)
  }

/** A text, and no reference to something else. */
export const text: Shape = function* (value, place) {
  if (typeof value !== 'string') yield ofProvider('text', `has ${place} that is no text`, value)
}

/** The name of a function. Moonshot names its own functions by a "$". */
export const ownName: Shape = function* (value) {
  if (typeof value !== 'string' || value.startsWith('$'))
    yield ofProvider(String(value), `offers the function "${value}", which the provider runs`)
}

/** One of these values, if any. Another has the provider run or keep something (`isProviders`), or may change the price. */
export const only = (isProviders: boolean, ...allowed: unknown[]): Shape =>
  function* (value, place) {
    if (allowed.some((one) => isDeepStrictEqual(one, value))) return
    const name = /^a field "(.*?)"/.exec(place)?.[1] ?? place
    yield isProviders
      ? ofProvider(name, `has ${place}, which has the provider run or keep something`, value)
      : never(name, `has ${place} with another value than its default`)
  }

/** Parts or tools by their type, or by what `typeOf` makes of it. A part may also be a text; a tool may not. */
export const typed = (
  shapes: Shapes,
  what: 'part' | 'tool',
  typeOf = ({ type }: Json): unknown => type,
): Shape =>
  list(function* (value) {
    if (!isObject(value) && what === 'part') return
    const type = isObject(value) ? typeOf(value) : undefined
    const shape = typeof type === 'string' && Object.hasOwn(shapes, type) ? shapes[type] : undefined
    if (shape) return yield* shape(value, `a ${what} of type "${type}"`)
    const name = nameOf(value)
    if (what === 'tool') yield ofProvider(name, `offers the tool "${name}", which the provider runs`, value)
    else yield ofProvider(name, `has a part of type "${name}", which bench does not let pass`, value)
  })

function nameOf(value: unknown): string {
  if (!isObject(value)) return String(value)
  const { type, name } = value
  if (typeof type === 'string') return type
  return typeof name === 'string' ? name : Object.keys(value).join('+')
}

/** The items of a list, also of lists in it; a single value is the only item. Null is none. */
export const flat = (value: unknown): unknown[] =>
  value === null || value === undefined ? [] : [value].flat(Number.POSITIVE_INFINITY as 10)

/** Ways to choose a tool, and the types of tools that a choice may name. */
const choices = new Set([
  ...['auto', 'any', 'none', 'required', 'tool', 'function', 'custom', 'allowed_tools', 'namespace'],
  ...['local_shell', 'shell', 'apply_patch'],
])

/** Judges which tool a request chooses, in the forms of Anthropic and OpenAI. */
export function* choice(value: unknown): Generator<Finding> {
  for (const one of flat(value).filter(isObject)) {
    const { type, tools, allowed_tools: allowed } = one
    if (typeof type === 'string' && !choices.has(type))
      yield ofProvider(type, `chooses the tool "${type}", which the provider runs`, one)
    yield* choice(tools)
    yield* choice(isObject(allowed) ? allowed.tools : undefined)
  }
}

/** A file that stands in the request: as a URL of kind `data`, or where `isBare`, in base64 alone. */
export const inline = (what: string, isBare = false): Shape =>
  function* (value) {
    const isInline =
      typeof value === 'string' && (/^data:/i.test(value) || (isBare && /^[\w+/=\s-]*$/.test(value)))
    if (!isInline) yield ofProvider(what, `has an ${what} that the provider would fetch`, value)
  }
