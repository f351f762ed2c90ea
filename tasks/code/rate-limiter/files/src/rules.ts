/** What a back end says about one request. */
export interface Decision {
  allowed: boolean
  /** Whole units that could still be taken. */
  remaining: number
  /** Milliseconds until the same cost would be allowed; 0 if it is, Infinity if it never will be. */
  retryAfterMs: number
}

/** Counts what was taken. Time is passed in, in milliseconds. */
export interface Backend {
  peek(now: number, cost: number): Decision
  take(now: number, cost: number): Decision
}

export interface Rule {
  name: string
  backend: Backend
}

/** What all rules together say. */
export interface Verdict extends Decision {
  /** Names of the rules that did not allow it. */
  deniedBy: string[]
}
