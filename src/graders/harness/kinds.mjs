// The kinds of objects that are handed over, and what of each is its content beside its properties.
const { types } = process.getBuiltinModule('node:util')

const { is, getOwnPropertyDescriptor, getOwnPropertyNames, getOwnPropertySymbols } = Object
// Content is read and written past what a class that extends a builtin, or an object, has instead of these: on one of
// the two sides that would ask the other process, which would look at the same object again.
const past = (method) => Function.prototype.call.bind(method)
const eachOfMap = past(Map.prototype.forEach)
const setInMap = past(Map.prototype.set)
const clearMap = past(Map.prototype.clear)
const eachOfSet = past(Set.prototype.forEach)
const addToSet = past(Set.prototype.add)
const clearSet = past(Set.prototype.clear)
const timeOf = past(Date.prototype.getTime)
const setTimeOf = past(Date.prototype.setTime)
const typedArrayName = past(
  getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get,
)

/** Named for what the other process has to make. `object` is whatever has properties only, instances of classes too. */
export function kindOf(value) {
  if (typeof value === 'function') return 'function'
  if (Array.isArray(value)) return 'array'
  const prototype = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return 'object'
  if (types.isNativeError(value)) return 'error'
  if (types.isMap(value)) return 'map'
  if (types.isSet(value)) return 'set'
  if (types.isDate(value)) return 'date'
  if (types.isRegExp(value)) return 'regexp'
  if (types.isPromise(value)) return 'promise'
  if (types.isTypedArray(value) || types.isArrayBuffer(value)) return 'bytes'
  if (types.isGeneratorObject(value) || types.isMapIterator(value) || types.isSetIterator(value))
    return 'iterator'
  return 'object'
}

const copied = new Set(['object', 'array', 'map', 'set', 'date', 'bytes'])

/** Whether later changes are carried over. Those of functions, errors and prototypes are not. */
export function isKeptAlike(value, kind) {
  return copied.has(kind) && !Object.isFrozen(value) && !isPrototype(value)
}

function isPrototype(value) {
  const made = Object.getOwnPropertyDescriptor(value, 'constructor')?.value
  return typeof made === 'function' && made.prototype === value
}

/** Keys of what is neither content nor made by the other process itself. */
export function fieldKeys(value, kind) {
  const keys = Reflect.ownKeys(value)
  // Indices stand first.
  if (kind === 'array')
    return keys.slice(1 + (keys[value.length] === 'length' ? value.length : keys.indexOf('length')))
  return keys.filter((key) => isField(kind, key))
}

/** Whether a key may be one of `fieldKeys`. */
export function isField(kind, key) {
  // What prints an error or a difference would otherwise run code of the other process.
  if (typeof key === 'symbol') return key !== Symbol.for('nodejs.util.inspect.custom')
  if (kind === 'array') return key !== 'length' && !/^\d+$/.test(key)
  if (kind === 'bytes') return !/^\d+$/.test(key)
  if (kind === 'function') return !['length', 'name', 'arguments', 'caller'].includes(key)
  return kind !== 'error' || key !== 'stack'
}

/** Content and properties as a flat list, for telling whether anything has changed since. */
export function listOf(value, kind) {
  const list = []
  if (kind === 'array') for (let at = 0; at < value.length; at++) list.push(value[at])
  else if (kind === 'map') eachOfMap(value, (held, key) => list.push(key, held))
  else if (kind === 'set') eachOfSet(value, (item) => list.push(item))
  else if (kind === 'date') list.push(timeOf(value))
  else if (kind === 'bytes') list.push(bytesOf(value).toString('latin1'))
  else for (const key of Reflect.ownKeys(value)) list.push(key, heldBy(value, key))
  return list
}

/** Whether `listOf` would give the same. Looked at so often that arrays and objects are compared in place. */
export function isAsListed(value, kind, list) {
  if (kind === 'array') return isSameList(value, list)
  // Asked for apart, names and symbols cost a third of what all keys at once do.
  if (kind !== 'object' || getOwnPropertySymbols(value).length > 0)
    return isSameList(listOf(value, kind), list)
  const names = getOwnPropertyNames(value)
  if (2 * names.length !== list.length) return false
  for (let at = 0; at < names.length; at++) {
    const name = names[at]
    const property = getOwnPropertyDescriptor(value, name)
    const held = 'value' in property ? property.value : property.get
    if (name !== list[2 * at] || !is(held, list[2 * at + 1])) return false
  }
  return true
}

function isSameList(now, list) {
  if (now.length !== list.length) return false
  for (let at = 0; at < list.length; at++) if (!is(now[at], list[at])) return false
  return true
}

function heldBy(value, key) {
  const property = getOwnPropertyDescriptor(value, key)
  return 'value' in property ? property.value : property.get
}

/** Content as a list of plain values and of others, which `encode` makes JSON of. `stacks`: whether errors say where. */
export function encodeContent(value, kind, encode, stacks) {
  switch (kind) {
    case 'array':
      return encodeItems(value, encode)
    case 'regexp':
      return [value.source, value.flags]
    case 'error':
      return [stacks ? `${value.stack}` : '']
    case 'function':
      return [`${value.name}`, Number(value.length) || 0]
    case 'bytes':
      return [bytesName(value), bytesOf(value).toString('base64')]
    case 'iterator':
      return [Symbol.asyncIterator in value]
    case 'map':
    case 'set':
    case 'date':
      return listOf(value, kind).map(encode)
    case 'object':
      return encodeRecord(value, encode) ?? []
    default:
      return []
  }
}

function encodeItems(value, encode) {
  const items = []
  for (let at = 0; at < value.length; at++) items.push(at in value ? encode(value[at]) : ['hole'])
  return items
}

/** Where all properties are but names with values: JSON of just that; see `makeEmpty`. */
function encodeRecord(value, encode) {
  if (getOwnPropertySymbols(value).length > 0) return undefined
  const names = getOwnPropertyNames(value)
  const values = []
  for (const name of names) {
    const { enumerable, configurable, writable, value: held } = getOwnPropertyDescriptor(value, name)
    if (!enumerable || !configurable || !writable) return undefined
    values.push(held)
  }
  const record = { __proto__: null }
  for (let at = 0; at < names.length; at++) record[names[at]] = encode(values[at])
  return record
}

/** Whether content holds the properties as well. */
export const isRecord = (content) =>
  typeof content === 'object' && content !== null && !Array.isArray(content)

const bytesName = (value) => (Buffer.isBuffer(value) ? 'Buffer' : (typedArrayName(value) ?? 'ArrayBuffer'))

const bytesOf = (value) => {
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(value)
    ? value
    : { buffer: value, byteOffset: 0, byteLength: value.byteLength }
  return Buffer.from(buffer, byteOffset, byteLength)
}

const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))
const asyncIteratorPrototype = Object.getPrototypeOf(
  Object.getPrototypeOf(Object.getPrototypeOf((async function* () {})())),
)

/**
 * An object of a kind, empty, or with what its content will never be changed from. Arrays and records are what was read:
 * nobody else has that, so it is filled in place. Functions and promises are the mirror's.
 */
export function makeEmpty(kind, content) {
  switch (kind) {
    case 'object':
      return isRecord(content) ? content : {}
    case 'array':
      return Array.isArray(content) ? content : undefined
    case 'error':
      return new Error()
    case 'map':
      return new Map()
    case 'set':
      return new Set()
    case 'date':
      return new Date(0)
    case 'regexp':
      return new RegExp(`${content[0]}`, `${content[1]}`)
    case 'iterator':
      return Object.create(content[0] === true ? asyncIteratorPrototype : iteratorPrototype)
    case 'bytes':
      return makeBytes(`${content[0]}`, Buffer.from(`${content[1]}`, 'base64'))
    default:
      return undefined
  }
}

function makeBytes(name, bytes) {
  if (name === 'Buffer') return bytes
  const buffer = new Uint8Array(bytes).buffer
  if (name === 'ArrayBuffer') return buffer
  return /^(?:Big)?(?:Ui|I)nt(?:8|16|32|64)(?:Clamped)?Array$|^Float(?:32|64)Array$/.test(name)
    ? new globalThis[name](buffer)
    : undefined
}

/** Puts content into an object that was made for it, or changes it. */
export function fillContent(value, kind, content, decode) {
  if (value === content) decodeInPlace(value, kind, decode)
  else if (kind === 'array') {
    value.length = content.length
    content.forEach((item, index) => {
      if (item?.[0] === 'hole') delete value[index]
      else value[index] = decode(item)
    })
  } else if (kind === 'map') {
    clearMap(value)
    for (let index = 0; index < content.length; index += 2)
      setInMap(value, decode(content[index]), decode(content[index + 1]))
  } else if (kind === 'set') {
    clearSet(value)
    for (const item of content) addToSet(value, decode(item))
  } else if (kind === 'date') {
    setTimeOf(value, decode(content[0]))
  } else if (kind === 'bytes') {
    bytesOf(value).set(Buffer.from(`${content[1]}`, 'base64').subarray(0, value.byteLength))
  } else if (kind === 'error' && content[0]) {
    Object.defineProperty(value, 'stack', { value: `${content[0]}`, configurable: true, writable: true })
  }
}

function decodeInPlace(value, kind, decode) {
  if (kind === 'array') {
    for (let at = 0; at < value.length; at++) {
      const item = value[at]
      if (typeof item !== 'object') continue
      if (item?.[0] === 'hole') delete value[at]
      else value[at] = decode(item)
    }
  } else
    for (const key of Object.keys(value)) if (typeof value[key] === 'object') value[key] = decode(value[key])
}
