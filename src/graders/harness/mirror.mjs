// Keeps the objects of two processes alike. Whatever one hands to the other has a number there; the other makes an
// object of the same kind, prototype and properties, whose functions call back. With each message go the changes that
// were made to what had been handed over, so that aliases behave as if both were one process.
import {
  encodeContent,
  fieldKeys,
  fillContent,
  isAsListed,
  isField,
  isKeptAlike,
  kindOf,
  listOf,
  makeEmpty,
} from './kinds.mjs'
import { builtinName, createSymbolIds, decodePlain, encodePlain, NotUnderstood } from './values.mjs'

/** Changes are looked for in so many of the objects that were handed over last. */
const watchedAtMost = 200

/**
 * `invoke(fn, self, args, isNew)` calls a function of the other process, `settled(promise, ok, value)` is told when a
 * promise of ours has ended. `parity` is 0 on one side and 1 on the other; `stacks`: whether errors tell where they arose.
 */
export function createMirror({ parity, stacks, invoke, settled }) {
  const ids = new WeakMap()
  /** Kind and object, by number. */
  const known = new Map()
  /** What was last known to both, by number. */
  const common = new Map()
  const settlers = new WeakMap()
  const symbols = createSymbolIds(parity)
  let next = parity
  let queue = new Set()

  /** JSON of values, together with all that the other process does not know of them yet. */
  function pack(list) {
    queue = new Set()
    for (const entry of common.values())
      if (!isAsListed(entry.value, entry.kind, entry.list)) queue.add(entry.id)
    const encoded = list.map(encode)
    const shares = []
    for (const id of queue) shares.push(share(id))
    return [shares, encoded]
  }

  function encode(value) {
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
    if (!isObject || builtinName(value) !== undefined) return encodePlain(value, symbols)
    let id = ids.get(value)
    if (id === undefined) {
      id = next
      next += 2
      remember(id, kindOf(value), value)
      queue.add(id)
    } else if (isKeptAlike(value, known.get(id).kind)) {
      if (common.has(id)) watch(common.get(id))
      else queue.add(id)
    }
    return ['ref', id]
  }

  function remember(id, kind, value) {
    ids.set(value, id)
    known.set(id, { kind, value })
  }

  function watch(entry) {
    common.delete(entry.id)
    common.set(entry.id, entry)
    if (common.size > watchedAtMost) common.delete(common.keys().next().value)
  }

  function share(id) {
    const { kind, value } = known.get(id)
    const fields = kind === 'iterator' ? iteratorFields(value) : fieldsOf(value, kind)
    if (kind === 'promise' && !settlers.has(value)) {
      value.then(
        (result) => settled(value, true, result),
        (error) => settled(value, false, error),
      )
    }
    if (isKeptAlike(value, kind)) watch({ id, value, kind, list: listOf(value, kind) })
    const content = encodeContent(value, kind, encode, stacks)
    return [id, kind, prototypeOf(value, kind), content, fields, Object.isFrozen(value)]
  }

  function prototypeOf(value, kind) {
    const prototype = Object.getPrototypeOf(value)
    // The kinds of functions (async, generator) differ in how they run, which is not done here.
    if (kind === 'function' && !/^class\b/.test(Function.prototype.toString.call(value))) return ['kept']
    return kind === 'iterator' || kind === 'promise' ? ['kept'] : encode(prototype)
  }

  function fieldsOf(value, kind) {
    return fieldKeys(value, kind).map((key) => {
      const property = Reflect.getOwnPropertyDescriptor(value, key)
      const bits =
        (property.enumerable ? 1 : 0) + (property.configurable ? 2 : 0) + (property.writable ? 4 : 0)
      return 'value' in property
        ? [encode(key), bits, encode(property.value)]
        : [encode(key), bits, encode(property.get), encode(property.set)]
    })
  }

  /** Built-in iterators keep their state where only their own methods find it. */
  function iteratorFields(value) {
    const methods = ['next', 'return', 'throw'].filter((name) => typeof value[name] === 'function')
    return methods.map((name) => [name, 6, encode((...args) => value[name](...args))])
  }

  /** The values of a message; whatever is new is made, whatever changed is changed. Throws `NotUnderstood`. */
  function unpack(message) {
    try {
      const [shares, encoded] = message
      const fresh = new Set(shares.filter(([id]) => !known.has(id)).map(([id]) => id))
      for (const [id, kind, , content] of shares) if (fresh.has(id)) make(id, kind, content)
      for (const [id, kind, ...rest] of shares) fill(id, kind, rest, fresh.has(id))
      return encoded.map(decode)
    } catch (error) {
      throw error instanceof NotUnderstood ? error : new NotUnderstood('a message')
    }
  }

  function make(id, kind, content) {
    if (!Number.isSafeInteger(id) || Math.abs(id) % 2 === parity) throw new NotUnderstood('a number')
    const value =
      kind === 'function'
        ? makeFunction(content)
        : kind === 'promise'
          ? makePromise()
          : makeEmpty(kind, content)
    if (value === undefined) throw new NotUnderstood('an object')
    remember(id, kind, value)
  }

  function makeFunction([name, length]) {
    const made = function (...args) {
      if (!new.target) return invoke(made, this, args, false)
      const instance = invoke(made, undefined, args, true)
      if (new.target !== made) Object.setPrototypeOf(instance, new.target.prototype)
      return instance
    }
    Object.defineProperty(made, 'name', { value: `${name}`, configurable: true })
    return Object.defineProperty(made, 'length', { value: Number(length), configurable: true })
  }

  function makePromise() {
    let settler
    const promise = new Promise((resolve, reject) => {
      settler = { resolve, reject }
    })
    settlers.set(promise, settler)
    return promise
  }

  function fill(id, kind, [prototype, content, fields, frozen], isNew) {
    const { kind: knownKind, value } = known.get(id)
    if (kind !== knownKind) throw new NotUnderstood('an object')
    // What is frozen, or is no plain data, is not changed from outside.
    if (!isNew && !isKeptAlike(value, kind)) return
    fillContent(value, kind, content, decode)
    if (!isNew) removeOthers(value, kind, fields)
    for (const field of fields) define(value, kind, field)
    if (isNew && prototype?.[0] !== 'kept') Object.setPrototypeOf(value, decode(prototype))
    if (frozen) Object.freeze(value)
    else if (isKeptAlike(value, kind)) watch({ id, value, kind, list: listOf(value, kind) })
  }

  function removeOthers(value, kind, fields) {
    const wanted = new Set(fields.map(([key]) => decode(key)))
    for (const key of fieldKeys(value, kind)) if (!wanted.has(key)) delete value[key]
  }

  function define(value, kind, [encodedKey, bits, held, set]) {
    const key = decode(encodedKey)
    if (!isField(kind, key)) return
    const flags = { enumerable: (bits & 1) > 0, configurable: (bits & 2) > 0 }
    if (set === undefined)
      Object.defineProperty(value, key, { ...flags, writable: (bits & 4) > 0, value: decode(held) })
    else Object.defineProperty(value, key, { ...flags, get: decode(held), set: decode(set) })
  }

  function decode(json) {
    if (json?.[0] !== 'ref' || !Array.isArray(json)) return decodePlain(json, symbols)
    const found = known.get(json[1])
    if (!found) throw new NotUnderstood('a number')
    return found.value
  }

  /** Ends a promise of the other process. */
  function settle(promise, ok, value) {
    const settler = settlers.get(promise)
    if (!settler) throw new NotUnderstood('a promise')
    if (ok) settler.resolve(value)
    else settler.reject(value)
  }

  /** Whether a value is an object of this process that the other one was handed. */
  const isOwn = (value) => (ids.get(value) ?? 1 - parity) % 2 === parity

  return { pack, unpack, settle, isOwn }
}
