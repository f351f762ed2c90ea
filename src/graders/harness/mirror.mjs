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
  isRecord,
  kindOf,
  listOf,
  makeEmpty,
} from './kinds.mjs'
import { builtinName, createSymbolIds, decodePlain, encodePlain, NotUnderstood } from './values.mjs'

/** Changes are looked for in so many of the objects that were handed over last, besides all of the message before. */
const watchedAtMost = 200

/** Of what the other process makes by reading it. */
const plainPrototypes = { __proto__: null, array: Array.prototype, object: Object.prototype }

/**
 * `invoke(fn, self, args, isNew)` calls a function of the other process, `settled(promise, ok, value)` is told when a
 * promise of ours has ended. `parity` is 0 on one side and 1 on the other; `stacks`: whether errors tell where they arose.
 */
export function createMirror({ parity, stacks, invoke, settled }) {
  /** Number, kind, object and what both last knew of it, by number and by object. */
  const known = new Map()
  const entries = new WeakMap()
  /** Those in which changes are looked for. */
  const watched = new Set()
  const settlers = new WeakMap()
  const symbols = createSymbolIds(parity)
  let next = parity
  let queue = new Set()

  /** JSON of values, together with all that the other process does not know of them yet. */
  function pack(list) {
    queue = new Set()
    watched.forEach(queueIfChanged)
    forgetOldest()
    const encoded = list.map(encode)
    const shares = []
    const shared = queue
    for (const entry of shared) shares.push(share(entry))
    keepOutermost(shared)
    return [shares, encoded]
  }

  function queueIfChanged(entry) {
    if (!isAsListed(entry.value, entry.kind, entry.list)) queue.add(entry)
  }

  function encode(value) {
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
    if (!isObject || builtinName(value) !== undefined) return encodePlain(value, symbols)
    let entry = entries.get(value)
    if (entry === undefined) {
      entry = remember(next, kindOf(value), value)
      next += 2
      queue.add(entry)
    } else if (isKeptAlike(value, entry.kind)) {
      if (watched.has(entry)) watch(entry)
      else queue.add(entry)
    }
    return ['ref', entry.id]
  }

  function remember(id, kind, value) {
    const entry = { id, kind, value, list: undefined }
    entries.set(value, entry)
    known.set(id, entry)
    return entry
  }

  function watch(entry) {
    watched.delete(entry)
    watched.add(entry)
  }

  function forgetOldest() {
    for (const entry of watched) {
      if (watched.size <= watchedAtMost) return
      watched.delete(entry)
    }
  }

  /** What was handed over itself stands before what it holds, and is to be forgotten after that. */
  function keepOutermost(handed) {
    if (watched.size > watchedAtMost)
      for (const entry of [...handed].reverse()) if (watched.has(entry)) watch(entry)
  }

  function watchAsNow(entry) {
    entry.list = listOf(entry.value, entry.kind)
    watch(entry)
  }

  /** JSON of an object: number, kind, content, and what the other process would not make of these by itself. */
  function share(entry) {
    const { id, kind, value } = entry
    if (kind === 'promise' && !settlers.has(value)) {
      value.then(
        (result) => settled(value, true, result),
        (error) => settled(value, false, error),
      )
    }
    const isKept = isKeptAlike(value, kind)
    if (isKept) watchAsNow(entry)
    const content = encodeContent(value, kind, encode, stacks)
    const fields = isRecord(content) ? [] : fieldsOf(value, kind)
    const prototype = Object.getPrototypeOf(value)
    if (isKept && fields.length === 0 && prototype === plainPrototypes[kind]) return [id, kind, content]
    const all = [id, kind, content, fields, Object.isFrozen(value)]
    if (hasPrototype(value, kind)) all.push(encode(prototype))
    return all
  }

  function hasPrototype(value, kind) {
    // The kinds of functions (async, generator) differ in how they run, which is not done here.
    if (kind === 'function') return /^class\b/.test(Function.prototype.toString.call(value))
    return kind !== 'iterator' && kind !== 'promise'
  }

  function fieldsOf(value, kind) {
    if (kind === 'iterator') return iteratorFields(value)
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
      const fresh = new Set()
      for (const share of shares) if (!known.has(share[0])) fresh.add(make(share[0], share[1], share[2]))
      for (const share of shares) {
        const entry = known.get(share[0])
        fill(entry, share, fresh.has(entry))
      }
      keepOutermost(shares.map((share) => known.get(share[0])))
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
    return remember(id, kind, value)
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

  function fill(entry, share, isNew) {
    const { kind, value } = entry
    if (share[1] !== kind) throw new NotUnderstood('an object')
    // What is frozen, or is no plain data, is not changed from outside.
    if (!isNew && !isKeptAlike(value, kind)) return
    const content = share[2]
    fillContent(value, kind, content, decode)
    const fields = share[3] ?? []
    const all = isNew || !isRecord(content) ? fields : recordFields(content)
    if (!isNew) removeOthers(value, kind, all)
    for (const field of all) define(value, kind, field)
    if (isNew && share.length > 5) Object.setPrototypeOf(value, decode(share[5]))
    if (share[4]) Object.freeze(value)
    else if (isKeptAlike(value, kind)) watchAsNow(entry)
  }

  function removeOthers(value, kind, fields) {
    const wanted = new Set(fields.map(([key]) => decode(key)))
    for (const key of fieldKeys(value, kind)) if (!wanted.has(key)) delete value[key]
  }

  const recordFields = (record) => Object.keys(record).map((name) => [name, 7, record[name]])

  function define(value, kind, [encodedKey, bits, held, set]) {
    const key = decode(encodedKey)
    if (!isField(kind, key)) return
    const flags = { enumerable: (bits & 1) > 0, configurable: (bits & 2) > 0 }
    if (set === undefined)
      Object.defineProperty(value, key, { ...flags, writable: (bits & 4) > 0, value: decode(held) })
    else Object.defineProperty(value, key, { ...flags, get: decode(held), set: decode(set) })
  }

  function decode(json) {
    if (typeof json !== 'object' || json?.[0] !== 'ref' || !Array.isArray(json))
      return decodePlain(json, symbols)
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
  const isOwn = (value) => (entries.get(value)?.id ?? 1 - parity) % 2 === parity

  return { pack, unpack, settle, isOwn }
}
