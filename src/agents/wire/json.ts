import { isObject } from '../../text/is-object.ts'

/** Any JSON object. */
export type Json = Record<string, unknown>

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

/** Returns the number in a field; null if it is not reported, which is not 0. */
export function numberAt(value: Json, field: string): number | null {
  const number = value[field]
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Returns the count in a field; null if it is not reported: absent, a text, negative, or no whole number. */
export function countAt(value: Json, field: string): number | null {
  const count = value[field]
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null
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
