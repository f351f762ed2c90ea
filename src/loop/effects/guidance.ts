import type { Guidance, StateStep } from '../../schema/ledger/step.ts'
import type { GuidanceLine } from '../../schema/run/people.ts'
import type { TrialState } from '../state/trial-state.ts'

/** Returns a state with what people changed at its checkpoint: guidance is added to its field `guidance`, then fields are set. */
export function stateWithPeople<State extends object>(
  state: State,
  { guidance = [], set }: Pick<StateStep, 'guidance' | 'set'>,
): State {
  if (guidance.length === 0) return set ? { ...state, ...set } : state
  const texts: Record<string, unknown> = { ...(state as { guidance?: object }).guidance }
  for (const { state: name, text } of guidance) {
    const before = Object.hasOwn(texts, name) ? texts[name] : ''
    texts[name] = typeof before === 'string' && before !== '' ? `${before}\n${text}` : text
  }
  return { ...state, guidance: texts, ...set }
}

/** Whether a state takes guidance: its field `guidance` holds texts by name. */
export function takesGuidance(state: object): boolean {
  const { guidance } = state as { guidance?: unknown }
  return typeof guidance === 'object' && guidance !== null && !Array.isArray(guidance)
}

/** Takes the guidance that people gave for a trial, if the state has a place for it. Each text is taken once. */
export function takeGuidance({ run, trial, taken }: TrialState, state: object): Guidance[] {
  if (!run.people || !takesGuidance(state)) return []
  const lines = run.people.guidanceFor(trial.id, taken)
  for (const { id } of lines) taken.add(id)
  return lines.map(({ id, state, text }: GuidanceLine) => ({ id, state, text }))
}
