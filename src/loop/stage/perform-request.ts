import { z } from 'zod'
import type { StageAnswer, StageAsk, StageErrorReason, StageRequest } from '../../schema/stage/protocol.ts'
import { AgentError, LimitError } from '../../text/errors.ts'
import { ask } from '../ask/ask.ts'
import { formatOf } from '../ask/prompt.ts'
import { check } from '../ask/visible-checks.ts'
import { writeLabel } from '../effects/trace-events.ts'
import type { Branch } from '../state/branch.ts'
import { validateLabel } from '../state/check-result.ts'
import { Interrupted, isInterrupted, isReplayingBreak } from '../state/recorded-steps.ts'
import type { TrialState } from '../state/trial-state.ts'

/** Does what a stage requests, in its branch. Throws what is no answer for a stage: an interrupt, a divergence, a broken adapter. */
export async function performRequest(
  trialState: TrialState,
  branch: Branch,
  request: StageRequest,
): Promise<StageAnswer> {
  if (isInterrupted(trialState) && !isReplayingBreak(trialState)) throw new Interrupted()
  try {
    if ('label' in request) {
      writeLabel(trialState, branch, request.label)
      return { reply: null }
    }
    // It stands in the step, from where the record takes it.
    if ('saving' in request) return { reply: null }
    if ('check' in request) return { reply: await check(trialState, branch, branch.state) }
    return { reply: await performAsk(trialState, branch, request.ask) }
  } catch (error) {
    if (error instanceof LimitError) return refusal('limit', error.message)
    if (error instanceof AgentError) {
      if (branch.stage) branch.stage.failedAsk = error
      const { reason: cause, message } = error
      return { error: { reason: 'agent', cause, message } }
    }
    throw error
  }
}

function performAsk(trialState: TrialState, branch: Branch, asked: StageAsk): Promise<unknown> {
  const { role, prompt, shape, ...options } = asked
  const given = shape ? { ...options, shape: z.fromJSONSchema(shape) } : options
  return ask(trialState, branch, role, prompt, given)
}

/** Returns the answer to a request that is not done. */
export const refusal = (reason: StageErrorReason, message: string): StageAnswer => ({
  error: { reason, message },
})

/** The deepest nesting of a shape. */
const deepest = 100

/** Returns why a request cannot be done; undefined if it can. */
export function requestProblem(request: StageRequest, roles: readonly string[]): string | undefined {
  try {
    if ('label' in request) validateLabel(request.label)
    if (!('ask' in request)) return undefined
    const { role, shape } = request.ask
    if (!roles.includes(role)) return `this stage may not ask "${role}"; it may ask ${roles.join(', ')}`
    if (!shape) return undefined
    if (isDeeper(shape, deepest)) return `the shape is nested deeper than ${deepest} levels`
    formatOf(z.fromJSONSchema(shape))
    return undefined
  } catch (error) {
    const what = 'ask' in request ? 'the shape is no JSON Schema that bench can use: ' : ''
    return `${what}${(error as Error).message}`
  }
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)))
