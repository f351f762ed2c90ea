import type { State } from './workspace.ts'

/** A candidate before it is graded: what a producing role's ask left in its branch, or what the strategy noted. */
export interface UngradedCandidate {
  /** The ask's key, or the note's. */
  key: string
  role: string
  /** Milliseconds of the trial's clock. */
  at: number
  /** Key of the candidate that its files and answer are based on; undefined: the task's own files. */
  from: string | undefined
  state: State
}
