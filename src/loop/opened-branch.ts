import type { Branch } from './branch.ts'
import type { State } from './workspace.ts'

/** What a branch has made: its files and its answer. */
export type Made = Pick<State, 'changed' | 'answer'>

/** A branch that the method opened, with what the branch above it had made by then. */
export interface OpenedBranch {
  branch: Branch
  above: Branch
  before: Made
}
