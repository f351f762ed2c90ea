import type { Account } from '../../agents/agent.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import type { RateLimiter } from '../budget/rate-limiter.ts'
import type { CallEnd } from '../budget/rate-window.ts'
import type { RunBudget } from '../budget/run-budget.ts'
import { Interrupted, type TrialState } from '../state/trial-state.ts'
import { longestRetryAfterMs } from './retry.ts'

/**
 * Makes a call under limits of the run or of the method. When they forbid it, its trial is interrupted: it does no
 * more, and goes on in a session that may spend more.
 */
export async function admitted<Answer extends { step: AskStep }>(
  runBudget: RunBudget,
  trialState: TrialState,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const { label } = trialState.trial.cell.method
  if (!(await runBudget.reserveCall(label, trialState.run.signal))) {
    trialState.stopped = true
    throw new Interrupted()
  }
  let answer: Answer | undefined
  try {
    answer = await ask()
    return answer
  } finally {
    runBudget.endCall(label, answer?.step)
  }
}

/** Makes a call when its account's rate allows it. `ask` is told how long that took, in ms; `tokens` is what it is expected to use. */
export async function gated<Answer extends { step: AskStep }>(
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
    // Whoever asks for more is out of quota: each call finds that out for itself, and ends in error.
    ...(retryAfterMs <= longestRetryAfterMs && { retryAfterMs }),
  }
}
