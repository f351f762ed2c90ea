import { shorten } from '../../text/shorten.ts'
import type { Branch } from '../state/branch.ts'
import { isInterrupted, type TrialState, withheldText } from '../state/trial-state.ts'
import type { PlannedStep } from './schedule.ts'

/** Writes what a scheduler does as trace events. */
export interface ScheduleEvents {
  stepStart(planned: PlannedStep, clock: number, running: number): void
  stepEnd(planned: PlannedStep, clock: number): void
  stepFail(planned: PlannedStep, clock: number, error: unknown): void
}

/** The version of these events; fields are only ever added under one version. */
const version = 1

/** Writes the events of one graph under its own keys. */
export function scheduleEvents(trialState: TrialState, branch: Branch): ScheduleEvents {
  const write = (
    type: string,
    { step: { id } }: PlannedStep,
    at: number,
    fields: Record<string, unknown> = {},
  ) => {
    if (isInterrupted(trialState)) return
    const event = { type, version, step: id, at, ...fields, simulated: trialState.simulated }
    trialState.run.event?.(trialState.trial.id, `${branch.path}!${branch.notes++}`, event)
  }
  return {
    stepStart(planned, clock, running) {
      write('SchedulerDecision', planned, clock, { running })
      write('StepStart', planned, clock, { after: planned.needs.map(({ step }) => step.id) })
    },
    stepEnd: (planned, clock) => write('StepEnd', planned, clock),
    stepFail(planned, clock, error) {
      const message = error instanceof Error ? shorten(error.message) : String(error)
      write('StepFail', planned, clock, { error: trialState.secret ? withheldText : message })
    },
  }
}
