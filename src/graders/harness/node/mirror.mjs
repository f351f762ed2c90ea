// Keeps the objects of two processes in sync. A shared object has a number; the other process creates an object of the same kind,
// prototype and properties, whose functions call back. Each message carries the changes of shared objects, so that aliases behave
// as in one process.
import { createBuiltins } from './builtins.mjs'
import { createFunctions } from './functions.mjs'
import { createIncoming } from './incoming.mjs'
import { createOutgoing } from './outgoing.mjs'
import { createRegistry } from './registry.mjs'
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
