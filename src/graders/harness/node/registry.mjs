// The objects that two processes keep alike: by number, what both last knew of them, and in which of them changes are looked for.
import { isAsListed, isKeptAlike, levelOf, listOf } from './kinds.mjs'

/** Changes are looked for in so many of the objects that were handed over last, besides all of the message before. */
const watchedAtMost = 200

/** `parity` tells the numbers that the two processes give apart: 0 or 1. */
export function createRegistry(parity) {
  /** Number, kind, object and what both last knew of it, by number and by object. */
  const known = new Map()
  const entries = new WeakMap()
  const watched = new Set()
  let next = parity

  function remember(id, kind, value) {
    const entry = { id, kind, value, list: undefined, level: 0 }
    entries.set(value, entry)
    known.set(id, entry)
    return entry
  }

  /** An object of this process that gets a number now. */
  function add(kind, value) {
    const entry = remember(next, kind, value)
    next += 2
    return entry
  }

  function watch(entry) {
    watched.delete(entry)
    watched.add(entry)
  }

  /** Notes what both know of an object now, and looks for changes from here on where there can be some. */
  function noteState(entry, isKept) {
    entry.level = levelOf(entry.value)
    if (!isKept) watched.delete(entry)
    else {
      entry.list = listOf(entry.value, entry.kind)
      watch(entry)
    }
  }

  /** Of those in which changes are looked for, the ones with some; all but the last of them are forgotten then. */
  function takeChanged() {
    const changed = new Set()
    for (const entry of watched) if (differs(entry)) changed.add(entry)
    for (const entry of watched) {
      if (watched.size <= watchedAtMost) break
      watched.delete(entry)
    }
    return changed
  }

  function hasChanged() {
    for (const entry of watched) if (differs(entry)) return true
    return false
  }

  /** Whether a known object that is handed over once more may differ from what the other process knows. */
  function isStale(entry) {
    if (!isKeptAlike(entry.value, entry.kind)) return isClosed(entry)
    if (!watched.has(entry)) return true
    watch(entry)
    return false
  }

  /** What was handed over itself stands before what it holds, and is to be forgotten after that. */
  function keepOutermost(handed) {
    if (watched.size > watchedAtMost)
      for (const entry of [...handed].reverse()) if (watched.has(entry)) watch(entry)
  }

  return {
    add,
    remember,
    noteState,
    takeChanged,
    hasChanged,
    isStale,
    keepOutermost,
    of: (value) => entries.get(value),
    at: (id) => known.get(id),
    /** Whether a value is an object of this process that the other one was handed. */
    isOwn: (value) => (entries.get(value)?.id ?? 1 - parity) % 2 === parity,
  }
}

/** Whether an object is not what both last knew of it. */
const differs = (entry) => !isAsListed(entry.value, entry.kind, entry.list) || isClosed(entry)

/** Whether an object was sealed or frozen since. */
const isClosed = ({ value, level }) => level < 3 && !Object.isExtensible(value) && levelOf(value) > level
