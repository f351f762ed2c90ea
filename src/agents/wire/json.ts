import { isObject } from '../../text/is-object.ts'

/** Any JSON object. */
export type Json = Record<string, unknown>

/** Maximum depth of JSON from servers and programs. Code that walks a deeper value would overflow the stack. */
const deepest = 200

/** Returns the value of a JSON text. Throws `SyntaxError` if it is not JSON, or nests objects and lists more than 200 levels deep. */
export function parseJson(text: string): unknown {
  // Most texts that are not JSON fail at their first character, before the whole text is read for its depth.
  const value: unknown = JSON.parse(text)
  if (isDeep(text)) throw new SyntaxError(`nests objects and lists more than ${deepest} levels deep`)
  return value
}

/** Like {@link parseJson}, but returns undefined instead of throwing. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function isDeep(text: string): boolean {
  if (text.length <= deepest) return false
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (inString) {
      if (sign === '\\') at++
      else if (sign === '"') inString = false
    } else if (sign === '"') inString = true
    else if (sign === '[' || sign === '{') {
      depth++
      if (depth > deepest) return true
    } else if (sign === ']' || sign === '}') depth--
  }
  return false
}

/** Returns the object at a path, or an empty object. */
export function objectAt(value: unknown, ...path: string[]): Json {
  const found = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)
  return isObject(found) ? found : {}
}

/** Returns the text in a field, or an empty text. */
export function textAt(value: Json, field: string): string {
  const text = value[field]
  return typeof text === 'string' ? text : ''
}

/** Returns those of the fields that hold texts. */
export const textsOf = (value: Json, ...fields: string[]): Json =>
  Object.fromEntries(
    fields.flatMap((field) => (typeof value[field] === 'string' ? [[field, value[field]]] : [])),
  )

/** Returns the objects of the list in a field; without a list none. */
export const listAt = (value: Json, field: string): Json[] => {
  const list = value[field]
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** Returns the number in a field; null if it is not reported, which is not 0. */
export function numberAt(value: Json, field: string): number | null {
  const number = value[field]
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** More than any request has; what counts more counts something else. */
const mostCounted = 1e9

/** Returns the count in a field; null if it is not reported: absent, a text, negative, no whole number, or more than 1e9. */
export function countAt(value: Json, field: string): number | null {
  const count = value[field]
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 && count <= mostCounted
    ? count
    : null
}

/** Returns the amount of money in a field; null if it is not reported, a text, or negative. */
export function amountAt(value: Json, field: string): number | null {
  const amount = numberAt(value, field)
  return amount !== null && amount >= 0 ? amount : null
}

/** Returns the sum; null if one of its parts was not reported. */
export function sum(...parts: (number | null)[]): number | null {
  return parts.reduce((total, part) => (total === null || part === null ? null : total + part), 0)
}
