// Reads and changes the content of builtins by the original methods, not by overrides in a subclass or an object: on one of the
// two sides an override would call the other process, which would read the same object again.
const { types } = process.getBuiltinModule('node:util')

const { getOwnPropertyDescriptor, getPrototypeOf } = Object
/** Returns a builtin's method as a function of the object. */
const originalOf = (method) => Function.prototype.call.bind(method)
const getterOf = (prototype, key) => originalOf(getOwnPropertyDescriptor(prototype, key).get)

export const eachOfMap = originalOf(Map.prototype.forEach)
export const setInMap = originalOf(Map.prototype.set)
export const clearMap = originalOf(Map.prototype.clear)
export const eachOfSet = originalOf(Set.prototype.forEach)
export const addToSet = originalOf(Set.prototype.add)
export const clearSet = originalOf(Set.prototype.clear)
export const timeOf = originalOf(Date.prototype.getTime)
export const setTimeOf = originalOf(Date.prototype.setTime)
export const thenOf = originalOf(Promise.prototype.then)
export const sourceOf = getterOf(RegExp.prototype, 'source')
export const flagsOf = getterOf(RegExp.prototype, 'flags')

const typedArray = getPrototypeOf(Uint8Array.prototype)
const typedArrayName = getterOf(typedArray, Symbol.toStringTag)
const partOf = (prototype) => ['buffer', 'byteOffset', 'byteLength'].map((key) => getterOf(prototype, key))
const partOfArray = partOf(typedArray)
const partOfView = partOf(DataView.prototype)
const bufferLength = getterOf(ArrayBuffer.prototype, 'byteLength')
const sharedLength = getterOf(SharedArrayBuffer.prototype, 'byteLength')

/** Returns the bytes of a typed array, a DataView or a buffer as a view, not a copy; none if they were transferred. */
export function bytesOf(value) {
  try {
    if (types.isSharedArrayBuffer(value)) return Buffer.from(value, 0, sharedLength(value))
    if (!ArrayBuffer.isView(value)) return Buffer.from(value, 0, bufferLength(value))
    const [buffer, offset, length] = types.isDataView(value) ? partOfView : partOfArray
    return Buffer.from(buffer(value), offset(value), length(value))
  } catch {
    return Buffer.alloc(0)
  }
}

/** Returns the name of the class of a kind of bytes. */
export function bytesName(value) {
  if (Buffer.isBuffer(value)) return 'Buffer'
  if (types.isDataView(value)) return 'DataView'
  return typedArrayName(value) ?? (types.isSharedArrayBuffer(value) ? 'SharedArrayBuffer' : 'ArrayBuffer')
}

const address = getOwnPropertyDescriptor(URL.prototype, 'href')
export const addressOf = originalOf(address.get)
export const setAddressOf = originalOf(address.set)

/** Whether an object is a real URL, not one that only inherits from URL. */
export function isAddress(value) {
  try {
    return value instanceof URL && addressOf(value) !== undefined
  } catch {
    return false
  }
}

const unboxers = [String, Number, Boolean, BigInt, Symbol].map(({ prototype }) =>
  originalOf(prototype.valueOf),
)

/** Returns the primitive in an object such as `new String('a')`. */
export function unbox(value) {
  for (const unboxed of unboxers) {
    try {
      return unboxed(value)
    } catch {} // it is of another kind
  }
  return undefined
}

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
