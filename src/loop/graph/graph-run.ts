import type { ConflictPolicy, StepResult } from '../../graph.ts'
import { dataCleaner } from '../../replies/clean-data.ts'
import { type GraphEvent, graphEventVersion } from '../../schema/ledger/graph-event.ts'
import { thrownText } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'
import type { MemberEnd } from '../branch/branch-group.ts'
import { isInterrupted } from '../branch/recorded-steps.ts'
import {
  type Branch,
  type Context,
  type Group,
  type TrialState,
  withheldText,
} from '../branch/trial-state.ts'
import type { Joined, StepEnd } from './joined.ts'
import type { PlannedStep, Schedule, Started, Step } from './schedule.ts'

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
  begun: Map<Branch, PlannedStep<Step>>
  ends: Map<number, StepEnd>
  results: Map<string, StepResult>
  begin: Joined
  concurrency: number
  conflict: ConflictPolicy
  hash: string
  events: ReturnType<typeof scheduleEvents>
  contextOf: (branch: Branch) => Context
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

type FailFields = Pick<Extract<GraphEvent, { type: 'StepFail' }>, 'durationMs' | 'reaction' | 'limit'>
type Fields<Event> = Event extends unknown ? Omit<Event, OwnField> : never
type OwnField = 'trial' | 'key' | 'version' | 'at' | 'simulated' | 'step'

/** Writes what the scheduler of one graph does as trace events under its own keys. `at` is a time on the trial's clock, ms. */
export function scheduleEvents(branch: Branch) {
  const { trialState } = branch
  const { run, plan } = trialState
  const { simulated } = trialState.bill
  const write = ({ step: { id } }: PlannedStep, at: number, fields: Fields<GraphEvent>) => {
    // What an interrupt brings about would not be written again in the next session. A loser of a `first` writes nothing more.
    if (isInterrupted(trialState) || branch.lost || !run.event) return
    const event = { ...fields, version: graphEventVersion, step: id, at, simulated }
    run.event(plan.trial.id, `${branch.path}!${branch.notes++}`, dataCleaner(run.redact)(event))
  }
  const patterns = patternEvents(write)
  return {
    stepStart(started: Started<Step>, at: number, slots: { running: number; concurrency: number }) {
      const { planned, ready, readyCount, from: slotFree } = started
      write(planned, at, { type: 'SchedulerDecision', ready, readyCount, ...slots, slotFree })
      patterns(planned, at)
      write(planned, at, { type: 'StepStart', after: planned.needs.map(({ step }) => step.id) })
    },
    stepEnd: (planned: PlannedStep, at: number, durationMs: number) =>
      write(planned, at, { type: 'StepEnd', durationMs }),
    stepFail(planned: PlannedStep, at: number, thrown: unknown, fields: FailFields) {
      const error = trialState.journal.secret ? withheldText : shorten(thrownText(thrown))
      write(planned, at, { type: 'StepFail', ...fields, error })
    },
    stepSkip: (planned: PlannedStep, at: number, because: string) =>
      write(planned, at, { type: 'StepSkip', because }),
    stepsAdded(planned: PlannedStep, at: number, added: readonly PlannedStep[], before: readonly string[]) {
      const steps = added.map(({ step: { id, after } }) => ({ id, after: [...after] }))
      write(planned, at, { type: 'StepsAdded', steps, before: [...before] })
    },
  }
}

function patternEvents(
  write: (planned: PlannedStep, at: number, fields: Fields<GraphEvent>) => void,
): (planned: PlannedStep<Step>, at: number) => void {
  const seen = new Set<string>()
  const isFirst = (...what: (string | number)[]) => {
    const name = JSON.stringify(what)
    return !seen.has(name) && seen.add(name)
  }
  return (planned, at) => {
    for (const { pattern, kind, turn, joins } of planned.step.part ?? []) {
      if (isFirst(pattern)) write(planned, at, { type: 'PatternStart', pattern, kind })
      if (turn !== undefined && isFirst(pattern, turn))
        write(planned, at, { type: 'PatternTurn', pattern, kind, turn })
      if (!joins) continue
      const inOrder = [...planned.needs].sort((a, b) => a.place - b.place).map(({ step }) => step.id)
      write(planned, at, { type: 'PatternJoin', pattern, kind, joins: inOrder })
    }
  }
}
