import type { Outcome } from '../../schema/ledger/outcome.ts'
import type { AgentErrorReason } from '../../text/errors.ts'

/** What a failed attempt means, the same for all methods and fixed before the run. */
interface FailureRule {
  /** Asked again at most so many times, if the run's `--retries` allows it; 0: never. */
  retries: number
  /** What the ask makes of a trial whose method does not handle it, once no attempt is left. */
  unhandled: Outcome['status']
  /** Why so, in words for a person. */
  because: string
}

/**
 * The one list of what is asked again and what is not, and of what an unhandled failure makes of its trial. Limited
 * and failed trials are graded on what they left; those in error are not, and count as missing.
 */
export const failures: Readonly<Record<AgentErrorReason, FailureRule>> = {
  quota: {
    retries: Number.POSITIVE_INFINITY,
    unhandled: 'error',
    because: 'a rate limit passes; retry-after is kept, unless it asks for more than five minutes',
  },
  server: {
    retries: Number.POSITIVE_INFINITY,
    unhandled: 'error',
    because: 'the provider is overloaded or broken (HTTP 5xx), which passes',
  },
  network: {
    retries: Number.POSITIVE_INFINITY,
    unhandled: 'error',
    because: 'the connection failed, or a stream broke off',
  },
  exit: {
    retries: 1,
    unhandled: 'error',
    because: "the agent's process died: once is chance, twice is a fault that stays",
  },
  timeout: {
    retries: 0,
    unhandled: 'limited',
    because:
      'the time was the method’s or the trial’s own and is used up: another attempt would take as long again',
  },
  key: { retries: 0, unhandled: 'error', because: 'a bad key stays bad' },
  request: { retries: 0, unhandled: 'failed', because: 'the same request would be as wrong again' },
  'context-overflow': {
    retries: 0,
    unhandled: 'failed',
    because: 'the method asks for more than fits, and would again',
  },
  refusal: {
    retries: 0,
    unhandled: 'failed',
    because: 'the model’s answer is no; asking until it is yes would favour methods that ask more',
  },
  empty: { retries: 0, unhandled: 'failed', because: 'the model answered, with nothing' },
  limit: {
    retries: 0,
    unhandled: 'failed',
    because: 'the method itself set the limit of that ask',
  },
  unparsable: { retries: 0, unhandled: 'failed', because: 'the repair turn was the second chance' },
}

const unknownReason: FailureRule = {
  retries: 0,
  unhandled: 'error',
  because: 'an adapter gave a reason that bench does not know',
}

/** The rule for a reason as it stands in a step: an adapter of the user's own may give any. */
export function failureRule(reason: string): FailureRule {
  return Object.hasOwn(failures, reason) ? failures[reason as AgentErrorReason] : unknownReason
}
