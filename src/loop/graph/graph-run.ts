import type { ConflictPolicy, StepResult } from '../../graph.ts'
import type { Branch, Group } from '../state/branch.ts'
import type { MemberEnd } from '../state/branch-group.ts'
import type { TrialState } from '../state/trial-state.ts'
import type { Joined, StepEnd } from './join/joined.ts'
import type { PlannedStep, Schedule } from './schedule.ts'
import type { ScheduleEvents } from './schedule-events.ts'
import type { Context, Step } from './step.ts'

/** The mutable state of a graph that runs. */
export interface GraphRun {
  trialState: TrialState
  /** Its bill, clock and files are those of the graph when it began; steps are branches under it. */
  branch: Branch
  group: Group
  schedule: Schedule<Step>
  /** By id. */
  running: Map<string, RunningStep>
  /** Steps that run and whose work has ended, in that order. */
  ended: Ended[]
  /** Called when the work of a step ends. */
  onEnd: () => void
  /** The step of each branch. */
  begun: Map<Branch, PlannedStep<Step>>
  ends: Map<number, StepEnd>
  results: Map<string, StepResult>
  begin: Joined
  concurrency: number
  conflict: ConflictPolicy
  hash: string
  events: ScheduleEvents
  contextOf: (trialState: TrialState, branch: Branch) => Context
  /** The first failure, in the order of completion, that ends the graph. */
  failed?: { planned: PlannedStep<Step>; error: unknown }
  /** All steps whose failure ends the graph. */
  stoppedBy: PlannedStep<Step>[]
}

export interface RunningStep {
  planned: PlannedStep<Step>
  branch: Branch
  start: Joined
  /** Milliseconds since the trial began. */
  beganAt: number
  /** What it depends on could not be joined. */
  unjoined: boolean
  work: Promise<void>
}

export interface Ended {
  running: RunningStep
  end: MemberEnd<unknown>
}
