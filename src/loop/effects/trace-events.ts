import { dataCleaner } from '../../replies/clean-data.ts'
import type { TraceEvent } from '../../strategy.ts'
import { validateAnswer, validateEvent, validateLabel } from '../branch/check-result.ts'
import { isInterrupted } from '../branch/recorded-steps.ts'
import { type Branch, type TrialState, withheldText } from '../branch/trial-state.ts'
import { noteCandidate } from './grade-candidates.ts'

/** Writes a strategy's label, which all later steps of the branch bear. */
export function writeLabel(branch: Branch, label: Readonly<Record<string, number | string>>): void {
  const event = eventToWrite(branch, () => ({ type: 'iteration', ...validateLabel(label) }))
  if (!event) return
  const { type: _, ...fields } = event
  branch.trialState.journal.labelled = true
  branch.iteration = fields as Record<string, number | string>
  write(branch.trialState, nextKey(branch), event)
}

/** Keeps what a strategy says is an answer now as a candidate, and writes that it did. */
export function writeCandidate(branch: Branch, answer: string | undefined): void {
  const event = eventToWrite(branch, () => ({
    type: 'candidate',
    answer: validateAnswer(answer),
  }))
  if (!event) return
  const key = nextKey(branch)
  write(branch.trialState, key, noteCandidate(branch, event.answer as string | undefined, key))
}

/** Writes an event of the strategy's own. */
export function writeNote(branch: Branch, given: TraceEvent): void {
  const event = eventToWrite(branch, () => validateEvent(given))
  if (!event) return
  write(
    branch.trialState,
    nextKey(branch),
    branch.trialState.journal.secret ? { type: event.type, withheld: withheldText } : event,
  )
}

/** The event without secrets; undefined when the trial writes nothing more. Throws after a refusal by a limit. */
function eventToWrite(branch: Branch, checked: () => TraceEvent): TraceEvent | undefined {
  const { trialState } = branch
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
