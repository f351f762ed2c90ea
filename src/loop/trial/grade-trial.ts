import { wellFormed } from '../../replies/clean-data.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { describeUnusedSteps } from '../branch/recorded-steps.ts'
import type { Branch } from '../branch/trial-state.ts'
import { gradeCandidates, traceDelivered } from '../effects/grade-candidates.ts'
import { gradeState, hashDelivered } from '../effects/grade-state.ts'
import { findUnanswered } from './outcome.ts'
import type { PlayedTrial } from './play-trial.ts'
import { recordOf } from './record.ts'

/** A finished trial: its record, and where it differed from its journal. */
export interface FinishedTrial {
  record: TrialRecord
  divergences: string[]
  /** Asks that it began anew after an interruption, a sentence each. */
  begunAnew: string[]
  /** Whether some step was paid: its record is then flushed immediately. */
  paid: boolean
  /** The error of the first ask, if no ask was answered. */
  unanswered: string | undefined
  /** The final state, for artifacts. */
  branch: Branch
  /** Whether the final state may hold the reference solution. */
  secret: boolean
}

/** Grades a trial's result, unless it ended in error or was cancelled, and makes its record. */
export async function gradeTrial({
  trialState,
  outcome,
  result,
  startedAt,
}: PlayedTrial): Promise<FinishedTrial> {
  const { root: branch, run } = trialState
  const { task } = trialState.plan
  const answer = result?.answer ?? branch.state.answer
  if (trialState.candidates && answer !== branch.state.answer) traceDelivered(branch, answer)
  const delivered = hashDelivered(task, branch.state, answer)
  const isGraded = outcome.status !== 'error' && outcome.status !== 'cancelled'
  const what = { key: 'grade#0', state: branch.state, answer, delivered }
  const graded = isGraded ? await gradeState(branch, what) : undefined
  const ended = graded && 'broke' in graded ? { status: 'error' as const, reason: graded.broke } : outcome
  const step = graded && 'step' in graded ? graded.step : undefined
  const candidates = step && trialState.candidates && (await gradeCandidates(branch, step))
  if (!run.journal) trialState.journal.divergences.push(...describeUnusedSteps(trialState))
  const record = recordOf(branch, result, {
    outcome: run.redact ? { ...ended, reason: run.redact.text(ended.reason) } : ended,
    ms: Math.max(0, Date.now() - startedAt),
    answer,
    delivered,
    step,
    candidates,
    startedAt,
  })
  const { divergences, begunAnew, asked, secret } = trialState.journal
  const { paid } = trialState.bill
  // An error of the method's own may hold half of a surrogate pair; a replay must find what the file has.
  return {
    record: wellFormed(record),
    divergences,
    begunAnew,
    paid,
    unanswered: findUnanswered(asked),
    branch,
    secret,
  }
}
