import { seededRandom } from '../../base/random.ts'
import type { Outcome } from '../../schema/ledger/outcome.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import type { AgentErrorReason } from '../../text/errors.ts'

/** How a failed attempt is handled; the same for all methods. */
interface FailureRule {
  /** Most retries of an ask, if the run's `--retries` allows them; 0: none. */
  retries: number
  /** The outcome of a trial whose method does not handle the failure, after the last attempt. */
  unhandled: Outcome['status']
  /** The reason for this rule, as a sentence. */
  because: string
}

/**
 * Which failures are retried, and the outcome of a trial that does not handle one. Limited and failed trials are graded on the
 * files they left. Trials in error are not graded and count as missing.
 */
export const failures: Readonly<Record<AgentErrorReason, FailureRule>> = {
  quota: {
    retries: Number.POSITIVE_INFINITY,
    unhandled: 'error',
    because: 'a rate limit is temporary; retry-after is obeyed up to five minutes',
  },
  server: {
    retries: Number.POSITIVE_INFINITY,
    unhandled: 'error',
    because: 'the provider is overloaded or failing (HTTP 5xx), which is temporary',
  },
  network: {
    retries: Number.POSITIVE_INFINITY,
    unhandled: 'error',
    because: 'the connection failed, or a stream was interrupted',
  },
  exit: {
    retries: 1,
    unhandled: 'error',
    because: "the agent's process died: the first time may be chance, the second time is a lasting fault",
  },
  unasked: {
    retries: 1,
    unhandled: 'error',
    because:
      'the program never asked its model, also if its time was up: the method was not tested; as for `exit`, the first time may be chance',
  },
  timeout: {
    retries: 0,
    unhandled: 'limited',
    because:
      'the time limit of the ask or the trial is used up; another attempt would need as much time again',
  },
  key: { retries: 0, unhandled: 'error', because: 'an invalid key stays invalid' },
  'not-found': {
    retries: 0,
    unhandled: 'error',
    because: 'the server knows no such model or address, or has no model loaded',
  },
  request: {
    retries: 0,
    unhandled: 'failed',
    because:
      'the same request would be rejected again; if no ask of the trial was answered, the trial is `error`, as the server rejects all its requests',
  },
  'context-overflow': {
    retries: 0,
    unhandled: 'failed',
    because: 'the prompt does not fit into the context window, and would not fit the next time',
  },
  missing: {
    retries: 0,
    unhandled: 'error',
    because:
      'the recorded replies have none to this task: the method was not tested, whatever it makes of it',
  },
  refusal: {
    retries: 0,
    unhandled: 'failed',
    because: 'the model refused; repeating the ask would favour methods that ask more often',
  },
  empty: {
    retries: 0,
    unhandled: 'failed',
    because:
      'the model answered with an empty reply; of a role that judges, decides or summarises, the repair was empty, too',
  },
  limit: {
    retries: 0,
    unhandled: 'failed',
    because: 'the method itself set the limit of this ask',
  },
  tools: {
    retries: 0,
    unhandled: 'failed',
    because: 'the agent called tools until its turns were used up, and would do so again',
  },
  unparsable: { retries: 0, unhandled: 'failed', because: 'the repair was the second chance' },
}

const unknownReason: FailureRule = {
  retries: 0,
  unhandled: 'error',
  because: 'an adapter reported a reason that bench does not know',
}

/** Returns the rule for a reason from a step. A user's adapter may report any reason. */
export function failureRule(reason: string): FailureRule {
  return Object.hasOwn(failures, reason) ? failures[reason as AgentErrorReason] : unknownReason
}

/** Retries of an ask without `--retries`; its repair gets the same number. */
export const defaultRetries = 3

/** The largest value of `--retries`: with waits of a minute, half an hour. */
export const maxRetries = 30

const firstWaitMs = 1_000
const maxWaitMs = 60_000
/** A longer wait means that the quota is used up: such a trial ends in error, for `--retry-errors`. */
export const maxRetryAfterMs = 300_000

/**
 * Returns the wait before the next retry of a failed attempt, in ms; undefined when it is not retried. `retriesMade` counts earlier
 * retries. The wait doubles from 1 s to 60 s, half of it seeded random so that parallel trials spread out, and is never
 * shorter than the provider asks for.
 */
export function retryDelay(
  { trial, key, attempt, error }: Pick<AskStep, 'trial' | 'key' | 'attempt' | 'error'>,
  retriesMade: number,
  allowed: number,
): number | undefined {
  if (!error || retriesMade >= Math.min(allowed, failureRule(error.reason).retries)) return undefined
  const { retryAfterMs = 0 } = error
  if (retryAfterMs > maxRetryAfterMs) return undefined
  const half = Math.min(firstWaitMs * 2 ** retriesMade, maxWaitMs) / 2
  const chance = seededRandom(`retry/${trial}/${key}/${attempt}`)()
  return Math.round(Math.max(half, retryAfterMs) + half * chance)
}
