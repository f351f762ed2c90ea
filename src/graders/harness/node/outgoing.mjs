// Encodes objects for the other process: a number for each, and on first use, or after a change, kind and content.
import { isError, textsOf } from './arrivals.mjs'
import { encodeContent, isRecord } from './contents.mjs'
import { fieldKeys, isSynced, kindOf } from './kinds.mjs'
import { thenOf } from './originals.mjs'
import { encodePlain } from './values.mjs'

/** Prototypes that the other process gets by parsing JSON. */
const plainPrototypes = { __proto__: null, array: Array.prototype, object: Object.prototype }

/** Only the solution sends the stacks of its errors. `settled(promise, ok, value)` is called when a promise has ended. */
export function createOutgoing({ side, registry, builtins, symbols, promises, settled }) {
  const isSolution = side === 'solution'
  let queue = new Set()
  /** Objects that were thrown: like those of an error, their texts are sent as texts. */
  const thrown = new WeakSet()
  const hasTexts = (value, kind) => isSolution && (isError(value, kind) || thrown.has(value))

  function noteThrown(value) {
    if ((typeof value === 'object' && value !== null) || typeof value === 'function') thrown.add(value)
  }

  /** Returns JSON of values, and of all objects that the other process does not know yet. */
  function pack(list) {
    queue = registry.takeChanged()
    const encoded = list.map((value) => encode(value))
    const shares = []
    const shared = queue
    for (const entry of shared) shares.push(share(entry))
    registry.keepOutermost(shared)
    return [shares, encoded]
  }

  const encode = (value) => encodeAs(value, false)

  function encodeAs(value, isPrototype) {
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function')
      return encodePlain(value, symbols)
    const name = builtins.nameOf(value, isPrototype)
    if (name !== undefined) return ['builtin', name]
    let entry = registry.of(value)
    if (entry === undefined) {
      entry = registry.add(kindOf(value), value)
      queue.add(entry)
    } else if (registry.isStale(entry)) queue.add(entry)
    return ['ref', entry.id]
  }

  /** Returns JSON of an object: number, kind, content, and what the other process cannot derive from these. */
  function share(entry) {
    const { id, kind, value } = entry
    if (kind === 'promise' && !promises.has(value))
      thenOf(
        value,
        (result) => settled(value, true, result),
        (error) => {
          noteThrown(error)
          settled(value, false, error)
        },
      )
    const isKept = isSynced(value, kind)
    registry.noteState(entry, isKept)
    const prototype = Object.getPrototypeOf(value)
    const texts = hasTexts(value, kind) ? textsOf(value) : []
    const content =
      texts.length > 0 && kind === 'object' ? [] : encodeContent(value, kind, encode, isSolution)
    const fields = isRecord(content) ? [] : fieldsOf(value, kind, texts)
    if (entry.level === 0 && isKept && fields.length === 0 && prototype === plainPrototypes[kind])
      return [id, kind, content]
    const all = [id, kind, content, fields, entry.level]
    if (hasPrototype(value, kind)) all.push(encodeAs(prototype, true))
    return all
  }

  function hasPrototype(value, kind) {
    // Async and generator functions differ only in how they run, and they run in their own process.
    if (kind === 'function') return /^class\b/.test(Function.prototype.toString.call(value))
    return kind !== 'iterator' && kind !== 'promise' && kind !== 'headers'
  }

  function fieldsOf(value, kind, texts) {
    const keys = fieldKeys(value, kind).filter((key) => !texts.some(([name]) => name === key))
    return keys.map((key) => fieldOf(value, key)).concat(texts.map(([key, text]) => [key, 6, encode(text)]))
  }

  function fieldOf(value, key) {
    const property = Reflect.getOwnPropertyDescriptor(value, key)
    const bits = (property.enumerable ? 1 : 0) + (property.configurable ? 2 : 0) + (property.writable ? 4 : 0)
    return 'value' in property
      ? [encode(key), bits, encode(property.value)]
      : [encode(key), bits, encode(property.get), encode(property.set)]
  }

  return { pack, noteThrown }
}
