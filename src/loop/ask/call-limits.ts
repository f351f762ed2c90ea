import type { Account } from '../../agents/agent.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import type { RateLimiter } from '../budget/rate-limiter.ts'
import type { CallEnd } from '../budget/rate-window.ts'
import type { RunBudget } from '../budget/run-budget.ts'
import { Interrupted } from '../state/recorded-steps.ts'
import type { TrialState } from '../state/trial-state.ts'
import { isStoppedByRun, type LimitedCall } from './limited-call.ts'
import { maxRetryAfterMs } from './retry.ts'

/**
 * Makes a call within the limits of the run and the method. When they forbid it, or a further request inside of it, the trial is
 * interrupted, and continues in a session that may spend more.
 */
export async function callWithinBudget<Answer extends { step: AskStep }>(
  runBudget: RunBudget,
  trialState: TrialState,
  ask: () => Promise<Answer>,
  limits?: LimitedCall,
): Promise<Answer> {
  const { label } = trialState.trial.cell.method
  if (!(await runBudget.reserveCall(label, trialState.run.signal))) {
    trialState.stopped = true
    throw new Interrupted()
  }
  let answer: Answer | undefined
  try {
    answer = await ask()
    if (!isStoppedByRun(answer.step.stoppedBy)) return answer
    trialState.stopped = true
    throw new Interrupted()
  } finally {
    runBudget.endCall(label, answer?.step, limits?.added)
  }
}

/** Makes a call when its account's rate allows it. `tokens` is the call's estimated use; `ask` gets the time waited, in ms. */
export async function callWithinRate<Answer extends { step: AskStep }>(
  rateLimiter: RateLimiter,
  account: Account,
  trialState: TrialState,
  tokens: number,
  signal: AbortSignal,
  ask: (waitedMs: number) => Promise<Answer>,
): Promise<Answer> {
  const slot = await rateLimiter.acquire(account, trialState.trial.cell.method.label, tokens, signal)
  if (!slot) throw new Interrupted()
  let answer: Answer | undefined
  try {
    answer = await ask(slot.waitedMs)
    return answer
  } finally {
    slot.end(answer ? endOf(answer.step) : {})
  }
}

function endOf({ tokens: { input, output }, error }: AskStep): CallEnd {
  const retryAfterMs = error?.retryAfterMs ?? 0
  return {
    tokens: input === null || output === null ? undefined : input + output,
    refused: error?.reason === 'quota',
    // A longer wait means that the quota is used up: each call then finds out for itself and ends in error.
    ...(retryAfterMs <= maxRetryAfterMs && { retryAfterMs }),
  }
}
