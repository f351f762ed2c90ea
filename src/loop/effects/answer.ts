import { dataCleaner } from '../../replies/clean-data.ts'
import { wellFormedText } from '../../replies/well-formed.ts'
import type { ApprovalAnswer } from '../../schema/ledger/approval.ts'
import type { ApprovalStep } from '../../schema/ledger/step.ts'
import type { Question, WaitsLine } from '../../schema/run/people.ts'
import type { Branch } from '../state/branch.ts'
import { Interrupted } from '../state/recorded-steps.ts'
import type { TrialState } from '../state/trial-state.ts'

/** A question, and the line that a person reads. */
export interface AskedQuestion extends Question {
  line(): WaitsLine
}

/** An answer, and who gave it; `by` is absent for the run's policy. */
export type GivenAnswer = Pick<ApprovalStep, 'decision' | 'feedback' | 'by' | 'answer'>

/**
 * Answers a question of a running trial: with what a person has said in people.jsonl, else as the run's policy says. Without an
 * answer the trial waits: it is noted and interrupted.
 */
export async function findAnswer(
  trialState: TrialState,
  { signal }: Branch,
  question: AskedQuestion,
): Promise<GivenAnswer> {
  const { run, taken } = trialState
  const said = run.people?.answerTo(question, taken)
  if (said) {
    taken.add(said.id)
    return { decision: said.decision, feedback: wellFormedText(said.feedback), by: 'person', answer: said.id }
  }
  const given = await answerByPolicy(trialState, signal, question).catch((error: unknown) => {
    throw signal.aborted ? new Interrupted() : error
  })
  if (signal.aborted) throw new Interrupted()
  if (given) return given
  run.people?.wait(question.line())
  trialState.stopped = true
  throw new Interrupted()
}

async function answerByPolicy(
  { run, recorded, approvals: answered }: TrialState,
  signal: AbortSignal,
  question: AskedQuestion,
): Promise<GivenAnswer | undefined> {
  const { policy, askPerson, onDefault } = run.approvals
  const by = (answer: ApprovalAnswer | undefined, who: 'person' | 'file'): GivenAnswer | undefined =>
    answer && { ...dataCleaner(run.redact)(answer), by: who }
  switch (policy.policy) {
    case 'yes':
      onDefault?.()
      return { decision: 'approved', feedback: '' }
    case 'abort':
      return { decision: 'abort', feedback: '' }
    case 'file': {
      // Branches may come here in another order than in the session before, so recorded approvals count first.
      const left = [...(recorded?.steps.values() ?? [])].filter(({ kind }) => kind === 'approval').length
      return by(policy.answers[answered + left], 'file')
    }
    case 'ask':
      return by(await askPerson?.(question.line(), signal), 'person')
    case 'park':
      return undefined
  }
}
