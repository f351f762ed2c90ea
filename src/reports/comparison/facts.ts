/** One of the runs that a comparison is made of. */
export interface RunFacts {
  /** The run folder, as the reader may type it. */
  run: string
  createdAt: string
  /** Version of bench, with its commit, or its code's digest where it is no checkout. */
  bench: string
  /** Commit of the checkout that bench was called in, where that is another one than its own. */
  calledIn: string | null
  /** What its times depend on: machine, trials at once, rate limits; null where time is simulated. */
  timing: string | null
  /** What answered: agents, and for real models what the provider said that it was. */
  models: string[]
  /** The table of list prices with its date, and whether the user's own stood before it; null: nothing was billed by prices. */
  prices: string | null
  /** SHA-256 of records.jsonl. */
  data: string
  planned: number
  recorded: number
  /** A limit of the run stopped it before its plan was whole. */
  stoppedByLimit: boolean
}

/** What a comparison's notes say beside its numbers. */
export interface ComparisonFacts {
  runs: RunFacts[]
  /** Where family, outcome and margin come from: the run's plan, bench's own default, or nobody: the pair was chosen afterwards. */
  stated: 'plan' | 'default' | 'afterwards'
  /** Records there were at each look at results that were not whole, in order. */
  looks: number[]
  /** Other settings that differ between the runs, told in words. */
  differing: string[]
  /** The command that makes these tables again. */
  command: string
}
