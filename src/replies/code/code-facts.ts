/** What a piece of code says of itself, as far as its choice needs it. */
export interface CodeFacts {
  /** The names that it binds at its top level, imports among them. */
  defines: ReadonlySet<string>
  /** Those of them that can be called: functions, classes, imports, no plain values. */
  functions: ReadonlySet<string>
  /** The methods of its top-level classes and objects, each with what it is called on. */
  methods: ReadonlyMap<string, Receiver>
  /** The names that it reads and binds nowhere. */
  uses: ReadonlySet<string>
  /** The top-level functions without a body: a signature, a docstring, `pass`. */
  sketches: ReadonlySet<string>
  /** Whether it reads as the body of a function: it returns outside of one. */
  isBody: boolean
}

/** What a method is called on. */
export interface Receiver {
  owner: string
  /** Whether the owner is a class that must be instantiated first. */
  isInstance: boolean
}
