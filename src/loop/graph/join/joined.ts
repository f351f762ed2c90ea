import type { Bill } from '../../budget/spending.ts'
import type { State } from '../../files/workspace.ts'
import type { PlannedStep } from '../schedule.ts'

/** What a step begins or ends with: the files, the clock and the bill of all steps that it depends on, each counted once. */
export interface Joined {
  state: State
  bill: Bill
  /** Milliseconds since the trial began. */
  clock: number
  /** The step that wrote last, by part of the state. */
  writers: ReadonlyMap<string, PlannedStep>
  /** The parts that are new in this join, since a policy merged them. */
  merged: readonly string[]
}

/** A step that has ended. `start` is what it began with. */
export interface StepEnd {
  planned: PlannedStep
  start: Joined
  end: Joined
  /** The parts that it changed, or that the join before it merged. */
  changed: readonly string[]
  /** What it depends on could not be joined: the steps behind it join that themselves. */
  unjoined: boolean
}

/** Steps that have ended, by their index. */
export type Ends = ReadonlyMap<number, StepEnd>
