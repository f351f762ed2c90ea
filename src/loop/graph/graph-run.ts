import type { ConflictPolicy, GraphStep, StepResult } from '../../graph.ts'
import type { StrategyContext } from '../../strategy.ts'
import type { Branch, Group } from '../state/branch.ts'
import type { MemberEnd } from '../state/branch-group.ts'
import type { TrialState } from '../state/trial-state.ts'
import type { Joined, StepEnd } from './joined.ts'
import type { PlannedStep, Schedule } from './schedule.ts'
import type { ScheduleEvents } from './schedule-events.ts'

// Each strategy has its own roles and options; `ask` checks the role.
// biome-ignore lint/suspicious/noExplicitAny: see the line above
export type Context = StrategyContext<any, any>
// biome-ignore lint/suspicious/noExplicitAny: see above; a step gives any value
export type Step = GraphStep<Context, any>

/** The mutable state of a graph that runs. */
export interface GraphRun {
  trialState: TrialState
  /** Its bill, clock and files are those of the graph when it began; steps are branches under it. */
  branch: Branch
  group: Group
  schedule: Schedule<Step>
  running: Map<PlannedStep<Step>, RunningStep>
  /** The step of each branch. */
  begun: Map<Branch, PlannedStep<Step>>
  ends: Map<number, StepEnd>
  results: Map<string, StepResult>
  begin: Joined
  conflict: ConflictPolicy
  hash: string
  events: ScheduleEvents
  contextOf: (trialState: TrialState, branch: Branch) => Context
  /** The first failure, in the order of completion, that ends the graph. */
  failed?: { planned: PlannedStep<Step>; error: unknown }
}

export interface RunningStep {
  planned: PlannedStep<Step>
  branch: Branch
  start: Joined
  /** What it depends on could not be joined. */
  unjoined: boolean
  ended: Promise<Ended>
}

export interface Ended {
  running: RunningStep
  end: MemberEnd<unknown>
}
