import { dataCleaner } from '../../replies/clean-data.ts'
import type { Guidance, StateStep } from '../../schema/ledger/step.ts'
import type { GuidanceLine } from '../../schema/run/people.ts'
import { digest } from '../../text/canonical-json.ts'
import { runEffect } from '../branch/branch.ts'
import { toPlainObject } from '../branch/check-result.ts'
import { stepHead, stopTrial, takeBranchStep, writeStep } from '../branch/recorded-steps.ts'
import { type Branch, type TrialState, withheldText } from '../branch/trial-state.ts'

/** Journals the method's state. Returns the state, with what people changed. Throws `Interrupted` if the run is to pause. */
export async function checkpoint<State extends object>(branch: Branch, state: State): Promise<State> {
  const { trialState } = branch
  const raw = toPlainObject('checkpoint(): the state', state) as StateStep['state']
  return runEffect(branch, 'checkpoint()', async (key) => {
    const plain = dataCleaner(trialState.run.redact)(raw)
    const hash = digest(plain)
    const recorded = takeBranchStep(branch, key, 1, hash, () => `state ${JSON.stringify(plain)}`)
    const step = recorded?.kind === 'state' ? resumeStep(trialState, recorded, plain) : undefined
    if (step) return withPeople(trialState, state, step)
    const guidance = takeGuidance(trialState, plain)
    const now: StateStep = {
      ...stepHead(trialState, 'state', key, hash, branch.clock),
      iteration: branch.iteration,
      state: trialState.journal.secret ? { withheld: withheldText } : plain,
      ...(guidance.length > 0 && { guidance }),
    }
    writeStep(trialState, now)
    if (trialState.run.people?.isPaused()) stopTrial(trialState)
    return withPeople(trialState, state, now)
  })
}

/**
 * Returns the journaled step. Where a trial goes on after its last step, guidance that was given meanwhile is for this state:
 * the step is journaled again with it.
 */
function resumeStep(trialState: TrialState, recorded: StateStep, plain: StateStep['state']): StateStep {
  if (!trialState.run.journal || trialState.journal.recorded?.steps.size !== 0) return recorded
  const guidance = takeGuidance(trialState, plain)
  if (guidance.length === 0) return recorded
  // Every line of the ledger begins with its trial.
  const { trial, ...rest } = recorded
  const step: StateStep = { trial, ...rest, guidance: [...(recorded.guidance ?? []), ...guidance] }
  writeStep(trialState, step)
  return step
}

function withPeople<State extends object>(
  { people: { counts: people } }: TrialState,
  state: State,
  step: StateStep,
): State {
  people.guidance += step.guidance?.length ?? 0
  if (step.set) people.sets++
  return stateWithPeople(state, step)
}

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
function takeGuidance({ run, plan: { trial }, people: { taken } }: TrialState, state: object): Guidance[] {
  if (!run.people || !takesGuidance(state)) return []
  const lines = run.people.guidanceFor(trial.id, taken)
  for (const { id } of lines) taken.add(id)
  return lines.map(({ id, state, text }: GuidanceLine) => ({ id, state, text }))
}
