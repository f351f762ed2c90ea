// Functions of the other process: what is called here asks there.

/** `invoke(fn, self, args, target)` asks: a call, or where there is a target, a construction. */
export function createFunctions(invoke) {
  const conversions = new WeakSet()
  /** What conversions have given since anything but a conversion was asked, by function. */
  let given = new Map()
  let isConverting = false

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
    if (known) return known.result
    const wasConverting = isConverting
    isConverting = true
    try {
      const result = invoke(fn, self, args)
      given.set(fn, [...(given.get(fn) ?? []), { self, hint: args[0], result }])
      return result
    } finally {
      isConverting = wasConverting
    }
  }

  return {
    make,
    /** Marks a function as one that gives the text or the number of objects. */
    noteConversion: (fn) => conversions.add(fn),
    /** To be called whenever anything is asked or answered: the objects may have changed. */
    forgetConversions() {
      if (!isConverting) given = new Map()
    },
  }
}
