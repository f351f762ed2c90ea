// The kinds of shared objects, and how to detect a change of one.
import { iteratorKind } from './iterators.mjs'
import {
  addressOf,
  bytesOf,
  eachOfMap,
  eachOfSet,
  isAddress,
  isHeaders,
  isParams,
  pairsOf,
  timeOf,
} from './originals.mjs'

const { types } = process.getBuiltinModule('node:util')

const { is, isExtensible, isFrozen, isSealed, getOwnPropertyDescriptor } = Object

/** Returns the kind of object that the other process must create. `object` is anything with properties only, including class instances. */
export function kindOf(value) {
  if (typeof value === 'function') return 'function'
  if (Array.isArray(value)) return 'array'
  if (types.isArgumentsObject(value)) return 'arguments'
  const prototype = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return 'object'
  if (types.isNativeError(value)) return 'error'
  if (types.isMap(value)) return 'map'
  if (types.isSet(value)) return 'set'
  if (types.isDate(value)) return 'date'
  if (types.isRegExp(value)) return 'regexp'
  if (types.isPromise(value)) return 'promise'
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return 'bytes'
  if (types.isBoxedPrimitive(value)) return 'boxed'
  if (iteratorKind(value) !== undefined) return 'iterator'
  if (isAddress(value)) return 'url'
  if (isParams(value)) return 'params'
  return isHeaders(value) ? 'headers' : 'object'
}

const copied = new Set([
  'object',
  'array',
  'arguments',
  'map',
  'set',
  'date',
  'regexp',
  'bytes',
  'url',
  'params',
  'headers',
])

/** Whether later changes are sent. Changes of functions, errors and prototypes are not. */
export function isSynced(value, kind) {
  return copied.has(kind) && !isFrozen(value) && !isPrototype(value)
}

/** Whether an object is the prototype of a class. */
export function isPrototype(value) {
  const made = getOwnPropertyDescriptor(value, 'constructor')?.value
  return typeof made === 'function' && made.prototype === value
}

/** Returns the keys that are neither content nor created by the other process itself. */
export function fieldKeys(value, kind) {
  const keys = Reflect.ownKeys(value)
  // Indices come first.
  if (kind === 'array')
    return keys.slice(1 + (keys[value.length] === 'length' ? value.length : keys.indexOf('length')))
  return keys.filter((key) => isField(kind, key))
}

/** Whether a key may be one of `fieldKeys`. */
export function isField(kind, key) {
  // An iterator is its steps alone. Headers hold their pairs under symbols in some versions of Node.
  if (kind === 'iterator' || kind === 'headers') return false
  // They hold an iterator and an accessor of their own.
  if (kind === 'arguments' && (key === Symbol.iterator || key === 'callee')) return false
  // Printing an error or a difference must not run code of the other process.
  if (typeof key === 'symbol') return key !== Symbol.for('nodejs.util.inspect.custom')
  if (kind === 'array') return key !== 'length' && !/^\d+$/.test(key)
  if (kind === 'bytes') return !/^\d+$/.test(key)
  if (kind === 'boxed') return key !== 'length' && !/^\d+$/.test(key)
  if (kind === 'function') return !['length', 'name', 'arguments', 'caller'].includes(key)
  return kind !== 'error' || key !== 'stack'
}

/** Returns 0 for an extensible object, 1 for one that is not extensible, 2 for sealed, 3 for frozen. */
export function levelOf(value) {
  if (isExtensible(value)) return 0
  return isFrozen(value) ? 3 : isSealed(value) ? 2 : 1
}

/** Makes an object not extensible, sealed or frozen by its level. */
export function close(value, level) {
  if (level === 1) Object.preventExtensions(value)
  else if (level === 2) Object.seal(value)
  else if (level === 3) Object.freeze(value)
}

const samples = 8

/** Whether an array has far more holes than items: its items are then sent with their indices. */
export function isSparse(array) {
  if (array.length < 1000) return false
  let holes = 0
  for (let at = 0; at < samples; at++) if (!(Math.floor((at * array.length) / samples) in array)) holes++
  return holes > 0 && Object.keys(array).length < array.length / 10
}

/** Returns content and properties as a flat list, to detect changes. */
export function listOf(value, kind) {
  const list = []
  if (kind === 'array') {
    if (isSparse(value)) for (const key of Object.keys(value)) list.push(key, value[key])
    else for (let at = 0; at < value.length; at++) list.push(value[at])
    list.push(value.length)
  } else if (kind === 'map') eachOfMap(value, (fieldValue, key) => list.push(key, fieldValue))
  else if (kind === 'set') eachOfSet(value, (item) => list.push(item))
  else if (kind === 'date') list.push(timeOf(value))
  else if (kind === 'url') list.push(addressOf(value))
  else if (kind === 'params' || kind === 'headers') list.push(...pairsOf(value, kind))
  else if (kind === 'bytes') list.push(bytesOf(value).toString('latin1'))
  else for (const key of Reflect.ownKeys(value)) list.push(key, fieldValueOf(value, key))
  return list
}

/** Whether `listOf` would return the same list. */
export function matchesList(value, kind, list) {
  const now = listOf(value, kind)
  if (now.length !== list.length) return false
  for (let at = 0; at < list.length; at++) if (!is(now[at], list[at])) return false
  return true
}

function fieldValueOf(value, key) {
  const property = getOwnPropertyDescriptor(value, key)
  return 'value' in property ? property.value : property.get
}
