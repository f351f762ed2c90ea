import type { ApprovalStep, StateStep } from '../../schema/ledger/step.ts'
import type { Approval } from '../../strategy.ts'
import { digest } from '../../text/canonical-json.ts'
import { stepHead } from '../journal/journal.ts'
import { type Branch, runEffect } from '../state/branch.ts'
import { checkText, toPlainObject } from '../state/check-arguments.ts'
import { takeBranchStep } from '../state/recorded-steps.ts'
import { type TrialState, withheldText } from '../state/trial-state.ts'

/** Thrown when `approve()` is answered with abort: the trial ends as cancelled. */
export class Cancelled extends Error {}

/** Returns the decision on a question, as a step: the journaled one, or the run's policy. */
export async function approve(trialState: TrialState, branch: Branch, question: string): Promise<Approval> {
  checkText('approve(): the question', question)
  return runEffect(branch, 'approve()', async (key) => {
    const hash = digest({ approve: question })
    const recorded = takeBranchStep(trialState, branch, key, 1, hash, () => `approve: ${question}`)
    const decision = recorded?.kind === 'approval' ? recorded.decision : trialState.run.approvals
    const feedback = recorded?.kind === 'approval' ? recorded.feedback : ''
    if (!recorded) {
      const step: ApprovalStep = {
        ...stepHead(trialState, 'approval', key, hash, branch.clock),
        question: trialState.secret ? withheldText : question,
        decision,
        feedback,
      }
      trialState.run.journal?.step(step, trialState.ledgerChecksum)
    }
    if (decision === 'abort') throw new Cancelled(question)
    return { decision, feedback }
  })
}

/** Journals the method's state. Returns the state, with the fields that a person has set. */
export async function checkpoint<State extends object>(
  trialState: TrialState,
  branch: Branch,
  state: State,
): Promise<State> {
  const raw = toPlainObject('checkpoint(): the state', state) as StateStep['state']
  return runEffect(branch, 'checkpoint()', async (key) => {
    const plain = trialState.run.redact?.data(raw) ?? raw
    const hash = digest(plain)
    const recorded = takeBranchStep(trialState, branch, key, 1, hash, () => `state ${JSON.stringify(plain)}`)
    if (recorded?.kind === 'state') {
      if (!recorded.set) return state
      trialState.interventions++
      return { ...state, ...(recorded.set as Partial<State>) }
    }
    const step: StateStep = {
      ...stepHead(trialState, 'state', key, hash, branch.clock),
      iteration: branch.iteration,
      state: trialState.secret ? { withheld: withheldText } : plain,
    }
    trialState.run.journal?.step(step, trialState.ledgerChecksum)
    return state
  })
}
