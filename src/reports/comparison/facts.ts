/** Facts about one run of a comparison. */
export interface RunFacts {
  /** The run folder, as a path that the reader can type. */
  run: string
  createdAt: string
  /** Version of bench with its commit; outside a checkout with the digest of its code. */
  bench: string
  /** Commit of the checkout that bench was called in, if it is not that of bench itself. */
  calledIn: string | null
  /** What its times depend on: machine, parallel trials, rate limits; null for simulated time. */
  timing: string | null
  /** Agents, with the model that the provider reported for real models. */
  models: string[]
  /** The price table with its date, and whether prices of the user came first; null: no prices. */
  prices: string | null
  /** SHA-256 of records.jsonl. */
  data: string
  planned: number
  recorded: number
  /** How the plan was changed during the run; absent if it was not. */
  amended?: string
  /** Whether a limit of the run stopped it before its end. */
  stoppedByLimit: boolean
}

/** Facts for the notes of a comparison. */
export interface ComparisonFacts {
  runs: RunFacts[]
  /** Source of family, outcome and margin: the plan of the run, the default, or a pair chosen afterwards. */
  stated: 'plan' | 'default' | 'afterwards'
  /** Number of records at each look at an unfinished run, in order. */
  looks: number[]
  /** Other settings that differ between the runs, as texts. */
  differing: string[]
  /** The command that makes these tables again. */
  command: string
}
