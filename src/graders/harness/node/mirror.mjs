// Keeps the objects of two processes in sync. A shared object has a number; the other process creates an object of the same kind,
// prototype and properties, whose functions call back. Each message carries the changes of shared objects, so that aliases behave
// as in one process.
import { createBuiltins, createFunctions } from './builtins.mjs'
import { createIncoming } from './incoming.mjs'
import { isSynced, levelOf, listOf, matchesList } from './kinds.mjs'
import { createOutgoing } from './outgoing.mjs'
import { createSymbolIds } from './values.mjs'

/**
 * `side` is 'tests' or 'solution': the tests accept less from the other side (see arrivals and builtins). `invoke(fn, self, args,
 * target)` calls a function of the other process, or constructs with it if there is a target. `step(iterator, method, args)` takes a step of
 * an iterator of the other process. `settled(promise, ok, value)` is
 * called when a promise of this process has ended.
 */
export function createMirror({ side, invoke, step, settled }) {
  const parity = side === 'tests' ? 1 : 0
  const registry = createRegistry(parity)
  const functions = createFunctions(invoke, registry.hasChanged)
  const shared = {
    side,
    registry,
    functions,
    step,
    builtins: createBuiltins(side),
    symbols: createSymbolIds(parity),
    /** Resolvers of promises of the other process. */
    promises: new WeakMap(),
  }
  const outgoing = createOutgoing({ ...shared, settled })
  const { unpack, settle, completeThrown } = createIncoming(shared)

  function pack(list) {
    functions.noteMessage()
    return outgoing.pack(list)
  }

  /** Whether a value is an iterator of this process. */
  const isOwnIterator = (value) => registry.isOwn(value) && registry.of(value).kind === 'iterator'

  const { noteThrown } = outgoing
  return { pack, unpack, settle, noteThrown, completeThrown, isOwn: registry.isOwn, isOwnIterator }
}

/** This many of the most recently shared objects are watched for changes, besides those of the previous message. */
const maxWatched = 200

/** `parity`, 0 or 1, keeps the numbers of the two processes apart. */
function createRegistry(parity) {
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
