// Functions of the other process: what is called here asks there.

/**
 * `invoke(fn, self, args, target)` asks: a call, or where there is a target, a construction. `hasChanged()`: whether this side has
 * changed what both know since it was asked.
 */
export function createFunctions(invoke, hasChanged) {
  const conversions = new WeakSet()
  /** What conversions have given since anything but a conversion was asked, by function. */
  const given = new Map()
  let isConverting = false
  let messages = 0

  function make([name, length]) {
    const made = function (...args) {
      if (new.target) return invoke(made, undefined, args, new.target)
      return conversions.has(made) ? convert(made, this, args) : invoke(made, this, args)
    }
    Object.defineProperty(made, 'name', { value: `${name}`, configurable: true })
    return Object.defineProperty(made, 'length', { value: Number(length), configurable: true })
  }

  /** A number that is asked for twice in a row, for `>` and for `<`, is the same both times. */
  function convert(fn, self, args) {
    const known = given.get(fn)?.find((one) => one.self === self && one.hint === args[0])
    if (known && !hasChanged()) return known.result
    const before = messages
    const result = askConverting(fn, self, args)
    // One that asked back depends on more than itself.
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
    /** Marks a function as one that gives the text or the number of objects. */
    noteConversion: (fn) => conversions.add(fn),
    /** To be called with every message that goes out: what is asked or answered may change objects. */
    noteMessage() {
      messages++
      if (!isConverting || hasChanged()) given.clear()
    },
  }
}
