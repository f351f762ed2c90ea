// Stand-ins for functions of the other process: a call here is sent there.

const standIns = new WeakSet()

/** Whether a function calls one of the other process. */
export const isStandIn = (fn) => standIns.has(fn)

/**
 * `invoke(fn, self, args, target)` sends a call, or a construction if there is a target. `hasChanged()` says whether this side has
 * changed a shared object since the last message.
 */
export function createFunctions(invoke, hasChanged) {
  const conversions = new WeakSet()
  /** Results of conversions by function, since the last message that was not a conversion. */
  const given = new Map()
  let isConverting = false
  let messages = 0

  function make([name, length]) {
    const made = function (...args) {
      if (new.target) return invoke(made, undefined, args, new.target)
      return conversions.has(made) ? convert(made, this, args) : invoke(made, this, args)
    }
    standIns.add(made)
    Object.defineProperty(made, 'name', { value: `${name}`, configurable: true })
    return Object.defineProperty(made, 'length', { value: Number(length), configurable: true })
  }

  /** Two conversions in a row, such as for `>` and for `<`, give the same number. */
  function convert(fn, self, args) {
    const known = given.get(fn)?.find((one) => one.self === self && one.hint === args[0])
    if (known && !hasChanged()) return known.result
    const before = messages
    const result = askConverting(fn, self, args)
    // A conversion that called back depends on more than its object.
    if (messages === before + 1) given.set(fn, [...(given.get(fn) ?? []), { self, hint: args[0], result }])
    return result
  }

  function askConverting(fn, self, args) {
    const wasConverting = isConverting
    isConverting = true
    try {
      return invoke(fn, self, args)
    } finally {
      isConverting = wasConverting
    }
  }

  return {
    make,
    /** Marks a function as a conversion of objects to text or number. */
    noteConversion: (fn) => conversions.add(fn),
    /** Must be called for every outgoing message: a call or an answer may change objects. */
    noteMessage() {
      messages++
      if (!isConverting || hasChanged()) given.clear()
    },
  }
}
