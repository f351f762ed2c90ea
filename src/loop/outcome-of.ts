import { AgentError, InfrastructureError, LimitError, thrownText } from '../errors.ts'
import type { Outcome } from '../schema/outcome.ts'
import { failureRule } from './failures.ts'
import { Cancelled } from './person.ts'

/** What an error that the strategy did not handle makes of its trial: the same for all methods, fixed before the run. */
export function outcomeOf(error: Error): Outcome {
  if (error instanceof AgentError)
    return { status: failureRule(error.reason).unhandled, reason: `${error.reason}: ${error.message}` }
  if (error instanceof LimitError) return { status: 'limited', reason: `${error.limit}: ${error.message}` }
  if (error instanceof Cancelled) return { status: 'cancelled', reason: 'a person said stop' }
  if (error instanceof InfrastructureError) return { status: 'error', reason: error.message }
  return { status: 'failed', reason: `the method broke: ${thrownText(error)}` }
}
