// The shared objects of two processes: their numbers, their last synced state, and which of them are watched for changes.
import { isSynced, levelOf, listOf, matchesList } from './kinds.mjs'

/** This many of the most recently shared objects are watched for changes, besides those of the previous message. */
const maxWatched = 200

/** `parity`, 0 or 1, keeps the numbers of the two processes apart. */
export function createRegistry(parity) {
  /** Entries of number, kind, object and last synced state, by number and by object. */
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

  /** Adds an object of this process under a new number. */
  function add(kind, value) {
    const entry = remember(next, kind, value)
    next += 2
    return entry
  }

  function watch(entry) {
    watched.delete(entry)
    watched.add(entry)
  }

  /** Stores the synced state of an object, and watches it if it can change. */
  function noteState(entry, canChange) {
    entry.level = levelOf(entry.value)
    if (!canChange) watched.delete(entry)
    else {
      entry.list = listOf(entry.value, entry.kind)
      watch(entry)
    }
  }

  /** Returns the watched objects that have changed, then stops watching all but the most recent. */
  function takeChanged() {
    const changed = new Set()
    for (const entry of watched) if (differs(entry)) changed.add(entry)
    for (const entry of watched) {
      if (watched.size <= maxWatched) break
      watched.delete(entry)
    }
    return changed
  }

  function hasChanged() {
    for (const entry of watched) if (differs(entry)) return true
    return false
  }

  /** Whether a known object that is sent again may differ from what the other process knows. */
  function isStale(entry) {
    if (!isSynced(entry.value, entry.kind)) return isClosed(entry)
    if (!watched.has(entry)) return true
    watch(entry)
    return false
  }

  /** Keeps sent objects watched longer than the objects inside them, which come later in the list. */
  function keepOutermost(sent) {
    if (watched.size > maxWatched)
      for (const entry of [...sent].reverse()) if (watched.has(entry)) watch(entry)
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
    /** Whether a value is an object of this process, not a stand-in. */
    isOwn: (value) => (entries.get(value)?.id ?? 1 - parity) % 2 === parity,
  }
}

/** Whether an object differs from its synced state. */
const differs = (entry) => !matchesList(entry.value, entry.kind, entry.list) || isClosed(entry)

/** Whether an object was sealed or frozen since the last sync. */
const isClosed = ({ value, level }) => level < 3 && !Object.isExtensible(value) && levelOf(value) > level
