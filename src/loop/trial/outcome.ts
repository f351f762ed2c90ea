import type { Outcome } from '../../schema/ledger/outcome.ts'
import { AgentError, InfrastructureError, LimitError, thrownText } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'
import { failureRule } from '../budget/failures.ts'
import { Cancelled } from '../effects/approval.ts'

/** A message may contain a path or text of any length. */
const longestReason = 2000

/** Returns the outcome of a trial whose strategy did not handle an error: the same for all methods. */
export function outcomeOf(error: Error): Outcome {
  if (error instanceof AgentError)
    return { status: failureRule(error.reason).unhandled, reason: `${error.reason}: ${error.message}` }
  if (error instanceof LimitError) return { status: 'limited', reason: `${error.limit}: ${error.message}` }
  if (error instanceof Cancelled) return { status: 'cancelled', reason: 'a person said stop' }
  if (error instanceof InfrastructureError)
    return { status: 'error', reason: shorten(error.message, longestReason) }
  return { status: 'failed', reason: `the method broke: ${shorten(thrownText(error), longestReason)}` }
}
