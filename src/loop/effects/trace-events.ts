import { dataCleaner } from '../../replies/clean-data.ts'
import type { TraceEvent } from '../../strategy.ts'
import type { Branch } from '../branch/branch.ts'
import { validateAnswer, validateEvent, validateLabel } from '../branch/check-result.ts'
import { isInterrupted } from '../branch/recorded-steps.ts'
import { type TrialState, withheldText } from '../branch/trial-state.ts'
import { noteCandidate } from './grade-candidates.ts'

/** Writes a strategy's label, which all later steps of the branch bear. */
export function writeLabel(
  trialState: TrialState,
  branch: Branch,
  label: Readonly<Record<string, number | string>>,
): void {
  const event = eventToWrite(trialState, branch, () => ({ type: 'iteration', ...validateLabel(label) }))
  if (!event) return
  const { type: _, ...fields } = event
  trialState.journal.labelled = true
  branch.iteration = fields as Record<string, number | string>
  write(trialState, nextKey(branch), event)
}

/** Keeps what a strategy says is an answer now as a candidate, and writes that it did. */
export function writeCandidate(trialState: TrialState, branch: Branch, answer: string | undefined): void {
  const event = eventToWrite(trialState, branch, () => ({
    type: 'candidate',
    answer: validateAnswer(answer),
  }))
  if (!event) return
  const key = nextKey(branch)
  write(trialState, key, noteCandidate(trialState, branch, event.answer as string | undefined, key))
}

/** Writes an event of the strategy's own. */
export function writeNote(trialState: TrialState, branch: Branch, given: TraceEvent): void {
  const event = eventToWrite(trialState, branch, () => validateEvent(given))
  if (!event) return
  write(
    trialState,
    nextKey(branch),
    trialState.journal.secret ? { type: event.type, withheld: withheldText } : event,
  )
}

/** The event without secrets; undefined when the trial writes nothing more. Throws after a refusal by a limit. */
function eventToWrite(
  trialState: TrialState,
  branch: Branch,
  checked: () => TraceEvent,
): TraceEvent | undefined {
  if (branch.refused && !trialState.hasEnded) throw branch.refused.error
  const event = checked()
  // After an interrupt the event could be a result of the interrupt; the next session writes the right one.
  if (trialState.hasEnded || isInterrupted(trialState)) return undefined
  return dataCleaner(trialState.run.redact)(event)
}

const nextKey = (branch: Branch) => `${branch.path}!${branch.notes++}`

function write(
  { run, plan: { trial }, bill: { simulated } }: TrialState,
  key: string,
  event: TraceEvent,
): void {
  run.event?.(trial.id, key, { ...event, simulated })
}
