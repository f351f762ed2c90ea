import type { State } from '../files/workspace.ts'

/** What a producing role had made when its ask was answered, or what the strategy noted. */
export interface UngradedCandidate {
  /** The ask's key, or the note's. */
  key: string
  role: string
  /** Milliseconds of the trial's clock. */
  at: number
  /** The candidate that its files and answer came from; undefined: it began with the task's own. */
  from: string | undefined
  state: State
}
