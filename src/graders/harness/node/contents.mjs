// Encodes and decodes the content of each kind of object, without its properties.
import { iteratorKind } from './iterators.mjs'
import { isSparse, listOf } from './kinds.mjs'
import {
  addToSet,
  bytesName,
  bytesOf,
  clearMap,
  clearSet,
  flagsOf,
  setAddressOf,
  setInMap,
  setPairs,
  setTimeOf,
  sourceOf,
  unbox,
} from './originals.mjs'

const { getOwnPropertyDescriptor, getOwnPropertyNames, getOwnPropertySymbols } = Object

/** Returns the content as a list; `encode` makes JSON of values in it. With `stacks`, errors include their stack. */
export function encodeContent(value, kind, encode, stacks) {
  switch (kind) {
    case 'array':
      return encodeItems(value, encode)
    case 'regexp':
      return [sourceOf(value), flagsOf(value)]
    case 'error':
      return [stacks ? textOf(value.stack) : '']
    case 'function':
      return [textOf(value.name), typeof value.length === 'number' ? value.length : 0]
    case 'bytes':
      return [bytesName(value), bytesOf(value).toString('base64')]
    case 'boxed':
      return [encode(unbox(value))]
    case 'iterator':
      return [iteratorKind(value)]
    case 'map':
    case 'set':
    case 'date':
    case 'url':
    case 'params':
    case 'headers':
      return listOf(value, kind).map(encode)
    case 'object':
      return encodeRecord(value, encode) ?? []
    default:
      return []
  }
}

const textOf = (value) => (typeof value === 'string' ? value : '')

function encodeItems(value, encode) {
  const items = []
  if (isSparse(value)) {
    for (const [at, item] of Object.entries(value)) if (/^\d+$/.test(at)) items.push(Number(at), encode(item))
    return [['sparse', value.length], ...items]
  }
  for (let at = 0; at < value.length; at++) items.push(at in value ? encode(value[at]) : ['hole'])
  return items
}

/** Returns an object as a JSON record if all its properties are plain values, else undefined; see `makeEmpty`. */
function encodeRecord(value, encode) {
  if (getOwnPropertySymbols(value).length > 0) return undefined
  const names = getOwnPropertyNames(value)
  const values = []
  for (const name of names) {
    const { enumerable, configurable, writable, value: fieldValue } = getOwnPropertyDescriptor(value, name)
    if (!enumerable || !configurable || !writable) return undefined
    values.push(fieldValue)
  }
  const record = { __proto__: null }
  for (let at = 0; at < names.length; at++) record[names[at]] = encode(values[at])
  return record
}

/** Whether content includes the properties. */
export const isRecord = (content) =>
  typeof content === 'object' && content !== null && !Array.isArray(content)

/** Whether the content of an array lists its items with their indices. */
const listsIndices = (content) => content[0]?.[0] === 'sparse'

/**
 * Creates an object of a kind: empty, or with content that never changes. Arrays and records are the parsed JSON itself and are
 * decoded in place. Functions, promises, iterators and boxed primitives are created by the mirror.
 */
export function makeEmpty(kind, content) {
  switch (kind) {
    case 'object':
      return isRecord(content) ? content : {}
    case 'array':
      if (!Array.isArray(content)) return undefined
      return listsIndices(content) ? [] : content
    case 'arguments':
      return emptyArguments()
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
    case 'url':
      return new URL(`${content[0]}`)
    case 'params':
      return new URLSearchParams()
    case 'headers':
      return new Headers()
    case 'bytes':
      return makeBytes(`${content[0]}`, Buffer.from(`${content[1]}`, 'base64'))
    default:
      return undefined
  }
}

function emptyArguments() {
  // biome-ignore lint/complexity/noArguments: only a call makes such an object
  return arguments
}

function makeBytes(name, bytes) {
  if (name === 'Buffer') return bytes
  if (name === 'SharedArrayBuffer') {
    const shared = new SharedArrayBuffer(bytes.length)
    new Uint8Array(shared).set(bytes)
    return shared
  }
  const buffer = new Uint8Array(bytes).buffer
  if (name === 'ArrayBuffer') return buffer
  if (name === 'DataView') return new DataView(buffer)
  return /^(?:Big)?(?:Ui|I)nt(?:8|16|32|64)(?:Clamped)?Array$|^Float(?:16|32|64)Array$/.test(name)
    ? new globalThis[name](buffer)
    : undefined
}

/** Fills a new object with content, or updates one. `decode` gets the names of properties. */
export function fillContent(value, kind, content, decode) {
  if (value === content) decodeInPlace(value, kind, decode)
  else if (kind === 'array' && listsIndices(content)) fillSparse(value, content, decode)
  else if (kind === 'array') {
    // Some elements may be read-only; those are skipped.
    Reflect.set(value, 'length', content.length)
    content.forEach((item, index) => {
      if (item?.[0] === 'hole') Reflect.deleteProperty(value, index)
      else Reflect.set(value, index, decode(item))
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
  } else if (kind === 'url') {
    setAddressOf(value, content[0])
  } else if (kind === 'params' || kind === 'headers') {
    setPairs(value, kind, content)
  } else if (kind === 'bytes') {
    const bytes = bytesOf(value)
    bytes.set(Buffer.from(`${content[1]}`, 'base64').subarray(0, bytes.length))
  } else if (kind === 'error' && content[0]) {
    Object.defineProperty(value, 'stack', { value: `${content[0]}`, configurable: true, writable: true })
  }
}

function fillSparse(value, [[, length], ...items], decode) {
  Reflect.set(value, 'length', 0)
  // The last item comes first: V8 then allocates no memory for the holes.
  for (let at = items.length - 2; at >= 0; at -= 2)
    Reflect.set(value, Number(items[at]), decode(items[at + 1]))
  Reflect.set(value, 'length', length)
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
    for (const key of Object.keys(value))
      if (typeof value[key] === 'object') value[key] = decode(value[key], key)
}
