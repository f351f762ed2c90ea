// Creates and updates stand-ins for the objects of the other process.
import {
  completeTexts,
  isConversion,
  isDataOnly,
  isError,
  isFakeBuiltin,
  isImpersonation,
  isOverride,
  isPlain,
  tagGetter,
} from './arrivals.mjs'
import { fillContent, isRecord, makeEmpty } from './contents.mjs'
import { makeIterator } from './iterators.mjs'
import { close, fieldKeys, isField, isSynced } from './kinds.mjs'
import { decodePlain, NotUnderstood } from './values.mjs'

export function createIncoming(link) {
  const { side, registry, symbols, promises, functions, step } = link
  const isTestsSide = side === 'tests'
  const parity = isTestsSide ? 1 : 0
  const decoder = createDecoder(link, isTestsSide)
  const { fill } = createFiller(link, isTestsSide, decoder)

  /** Returns the values of a message, after creating new objects and updating changed ones. Throws `NotUnderstood`. */
  function unpack(message) {
    try {
      const [shares, encoded] = message
      const fresh = new Set()
      for (const share of shares) if (!registry.at(share[0])) fresh.add(make(share[0], share[1], share[2]))
      for (const share of shares) {
        const entry = registry.at(share[0])
        fill(entry, share, fresh.has(entry))
      }
      const entries = shares.map((share) => registry.at(share[0]))
      // Prototypes are complete only now.
      if (isTestsSide) entries.forEach(completeError)
      registry.keepOutermost(entries)
      return encoded.map((json) => decoder.decode(json))
    } catch (error) {
      throw error instanceof NotUnderstood ? error : new NotUnderstood('a message')
    }
  }

  /** Completes what the other process threw, whatever it is. */
  function completeThrown(value) {
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
    if (isTestsSide && isObject && !registry.isOwn(value) && Object.isExtensible(value)) completeTexts(value)
  }

  function completeError({ value, kind }) {
    if (!registry.isOwn(value) && isError(value, kind)) completeTexts(value)
  }

  function make(id, kind, content) {
    if (!Number.isSafeInteger(id) || Math.abs(id) % 2 === parity) throw new NotUnderstood('a number')
    const value = makeValue(kind, content)
    if (value === undefined) throw new NotUnderstood('an object')
    return registry.remember(id, kind, value)
  }

  function makeValue(kind, content) {
    if (kind === 'function') return functions.make(content)
    if (kind === 'promise') return makePromise()
    if (kind === 'iterator') return makeIterator(content[0], step)
    if (kind === 'boxed') return Object(decodePlain(content[0], symbols))
    return makeEmpty(kind, content)
  }

  function makePromise() {
    let settler
    const promise = new Promise((resolve, reject) => {
      settler = { resolve, reject }
    })
    promises.set(promise, settler)
    return promise
  }

  /** Resolves or rejects the stand-in of a promise. */
  function settle(promise, ok, value) {
    const settler = promises.get(promise)
    if (!settler) throw new NotUnderstood('a promise')
    if (ok) return settler.resolve(value)
    completeThrown(value)
    settler.reject(value)
  }

  return { unpack, settle, completeThrown }
}

/** Fills objects with the content and properties that the other process sent. */
function createFiller({ registry }, isTestsSide, { decode, decodeAs, decodeField, decodeGetter }) {
  function fill(entry, share, isNew) {
    const { kind, value } = entry
    if (share[1] !== kind) throw new NotUnderstood('an object')
    // Frozen objects and objects that are not plain data are not changed from outside.
    if (!isNew && !isSynced(value, kind)) return
    const content = share[2]
    fillContent(value, kind, content, decodeField)
    // A share without further fields is complete with its content.
    if (!isNew || share.length > 3) fillRest(entry, share, isNew)
    registry.noteState(entry, isSynced(value, kind))
  }

  function fillRest({ kind, value }, [, , content, fields = [], level, prototype], isNew) {
    const all = isNew || !isRecord(content) ? fields : recordFields(content)
    const actualPrototype =
      isNew && prototype !== undefined ? decodeAs(prototype, true) : Object.getPrototypeOf(value)
    const plain = isTestsSide && isPlain(kind, actualPrototype) ? actualPrototype : undefined
    if (!isNew) removeOthers(value, kind, all)
    for (const field of all) define(value, kind, field, plain)
    if (isNew) inherit(value, kind, actualPrototype)
    close(value, level)
  }

  function inherit(value, kind, prototype) {
    if (isTestsSide && isFakeBuiltin(value, kind, prototype)) return
    // A class that inherits from an object could know all objects as its own.
    if (isTestsSide && kind === 'function' && typeof prototype !== 'function') return
    if (Object.getPrototypeOf(value) !== prototype) Object.setPrototypeOf(value, prototype)
  }

  function removeOthers(value, kind, fields) {
    const wanted = new Set(fields.map(([key]) => decode(key)))
    // Properties that the tests dropped still belong to the solution.
    for (const key of fieldKeys(value, kind))
      if (!wanted.has(key) && (isTestsSide || !wasDropped(value, kind, key)))
        Reflect.deleteProperty(value, key)
  }

  function define(value, kind, [encodedKey, bits, fieldValue, set], plain) {
    const key = decode(encodedKey)
    if (!isField(kind, key) || (isTestsSide && isOverride(kind, key, plain))) return
    const flags = { enumerable: (bits & 1) > 0, configurable: (bits & 2) > 0 }
    if (set === undefined) {
      const arrived = decodeField(fieldValue, key)
      if (isTestsSide && isImpersonation(kind, key, arrived)) return
      Object.defineProperty(value, key, { ...flags, writable: (bits & 4) > 0, value: arrived })
    } else if (!isTestsSide || !isDataOnly(key))
      Object.defineProperty(value, key, { ...flags, get: decodeGetter(fieldValue, key), set: decode(set) })
  }

  return { fill }
}

/** Decodes single values. */
function createDecoder({ registry, builtins, symbols, functions }, isTestsSide) {
  const decode = (json) => decodeAs(json, false)

  function decodeAs(json, isPrototype) {
    if (typeof json !== 'object' || !Array.isArray(json)) return decodePlain(json, symbols)
    if (json[0] === 'builtin') {
      const builtin = builtins.at(json[1], isPrototype)
      if (builtin === undefined) throw new NotUnderstood('a value')
      return builtin
    }
    if (json[0] !== 'ref') return decodePlain(json, symbols)
    const found = registry.at(json[1])
    if (!found) throw new NotUnderstood('a number')
    return found.value
  }

  /** Decodes the value of a property. */
  function decodeField(json, key) {
    const fieldValue = decode(json)
    if (!isTestsSide || typeof fieldValue !== 'function') return fieldValue
    if (isConversion(key)) functions.noteConversion(fieldValue)
    return isImpersonation('object', key, fieldValue) ? undefined : fieldValue
  }

  function decodeGetter(json, key) {
    const get = decode(json)
    return isTestsSide && key === Symbol.toStringTag && typeof get === 'function' ? tagGetter(get) : get
  }

  return { decode, decodeAs, decodeField, decodeGetter }
}

const recordFields = (record) => Object.keys(record).map((name) => [name, 7, record[name]])

/** Whether a property is one that the tests dropped: it still belongs to the solution. */
function wasDropped(value, kind, key) {
  const prototype = Object.getPrototypeOf(value)
  if (isOverride(kind, key, isPlain(kind, prototype) ? prototype : undefined)) return true
  const fieldValue = Object.getOwnPropertyDescriptor(value, key)
  return 'value' in fieldValue ? isImpersonation(kind, key, fieldValue.value) : isDataOnly(key)
}
