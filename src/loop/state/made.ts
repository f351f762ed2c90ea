import type { State } from '../files/workspace.ts'
import type { Branch } from './branch.ts'

/** What a producing role had made when its ask was answered, or what the strategy noted. */
export interface MadeCandidate {
  /** The ask's key, or the note's. */
  key: string
  role: string
  /** Milliseconds of the trial's clock. */
  at: number
  /** The candidate that its files and answer came from; undefined: it began with the task's own. */
  from: string | undefined
  state: State
}

/** What a branch has made: its files and its answer. */
export type Made = Pick<State, 'changed' | 'answer'>

/** A branch that the method opened, with what the branch above it had made by then. */
export interface OpenedBranch {
  branch: Branch
  above: Branch
  before: Made
}
