// URL parameters and headers: kinds that hold pairs of texts.
import { originalOf } from './originals.mjs'

const { getOwnPropertyDescriptor, getPrototypeOf } = Object

const paramsText = originalOf(URLSearchParams.prototype.toString)
const eachParam = originalOf(URLSearchParams.prototype.forEach)
const appendParam = originalOf(URLSearchParams.prototype.append)
const deleteParam = originalOf(URLSearchParams.prototype.delete)

/** Whether an object is a real URLSearchParams, not one that only inherits from it. */
export function isParams(value) {
  try {
    return value instanceof URLSearchParams && typeof paramsText(value) === 'string'
  } catch {
    return false
  }
}

/** Whether an object is a Headers. The global is loaded only for an object that may be one, since that takes time. */
export function isHeaders(value) {
  const prototype = getPrototypeOf(value)
  return (
    prototype !== null &&
    getOwnPropertyDescriptor(prototype, Symbol.toStringTag)?.value === 'Headers' &&
    prototype === Headers.prototype
  )
}

/** Returns names and values in turn. */
export function pairsOf(value, kind) {
  const list = []
  const each = (text, name) => list.push(name, text)
  if (kind === 'params') eachParam(value, each)
  else Headers.prototype.forEach.call(value, each)
  return list
}

/** Replaces all pairs. */
export function setPairs(value, kind, list) {
  const [add, remove] =
    kind === 'params'
      ? [appendParam, deleteParam]
      : [originalOf(Headers.prototype.append), originalOf(Headers.prototype.delete)]
  const names = new Set(pairsOf(value, kind).filter((_, at) => at % 2 === 0))
  for (const name of names) remove(value, name)
  for (let at = 0; at + 1 < list.length; at += 2) add(value, list[at], list[at + 1])
}
