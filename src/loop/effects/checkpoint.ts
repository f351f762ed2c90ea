import { dataCleaner } from '../../replies/clean-data.ts'
import type { StateStep } from '../../schema/ledger/step.ts'
import { digest } from '../../text/canonical-json.ts'
import { stepHead } from '../journal/journal.ts'
import { type Branch, runEffect } from '../state/branch.ts'
import { toPlainObject } from '../state/check-arguments.ts'
import { Interrupted, takeBranchStep } from '../state/recorded-steps.ts'
import { type TrialState, withheldText } from '../state/trial-state.ts'
import { stateWithPeople, takeGuidance } from './guidance.ts'

/** Journals the method's state. Returns the state, with what people changed. Throws `Interrupted` if the run is to pause. */
export async function checkpoint<State extends object>(
  trialState: TrialState,
  branch: Branch,
  state: State,
): Promise<State> {
  const raw = toPlainObject('checkpoint(): the state', state) as StateStep['state']
  return runEffect(branch, 'checkpoint()', async (key) => {
    const plain = dataCleaner(trialState.run.redact)(raw)
    const hash = digest(plain)
    const recorded = takeBranchStep(trialState, branch, key, 1, hash, () => `state ${JSON.stringify(plain)}`)
    const step = recorded?.kind === 'state' ? resumeStep(trialState, recorded, plain) : undefined
    if (step) return withPeople(trialState, state, step)
    const guidance = takeGuidance(trialState, plain)
    const now: StateStep = {
      ...stepHead(trialState, 'state', key, hash, branch.clock),
      iteration: branch.iteration,
      state: trialState.secret ? { withheld: withheldText } : plain,
      ...(guidance.length > 0 && { guidance }),
    }
    trialState.run.journal?.step(now, trialState.ledgerChecksum)
    if (trialState.run.people?.isPaused()) {
      trialState.stopped = true
      throw new Interrupted()
    }
    return withPeople(trialState, state, now)
  })
}

/**
 * Returns the journaled step. Where a trial goes on after its last step, guidance that was given meanwhile is for this state:
 * the step is journaled again with it.
 */
function resumeStep(trialState: TrialState, recorded: StateStep, plain: StateStep['state']): StateStep {
  const { run, ledgerChecksum } = trialState
  if (!run.journal || trialState.recorded?.steps.size !== 0) return recorded
  const guidance = takeGuidance(trialState, plain)
  if (guidance.length === 0) return recorded
  // Every line of the ledger begins with its trial.
  const { trial, ...rest } = recorded
  const step: StateStep = { trial, ...rest, guidance: [...(recorded.guidance ?? []), ...guidance] }
  run.journal.step(step, ledgerChecksum)
  return step
}

function withPeople<State extends object>({ people }: TrialState, state: State, step: StateStep): State {
  people.guidance += step.guidance?.length ?? 0
  if (step.set) people.sets++
  return stateWithPeople(state, step)
}
