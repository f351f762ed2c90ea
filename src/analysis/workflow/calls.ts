import type { AskStep, Finish, Step } from '../../schema/ledger/step.ts'
import type { Tokens } from '../../schema/tokens.ts'

/** One call of a trial: an attempt of an ask, with the state in which it was made. */
export interface TrialCall {
  key: string
  attempt: number
  /** Null: the method has no states, or was in none. */
  state: string | null
  visit: number | null
  role: string
  /** The agent's name in records, and the model that answered. */
  agent: string
  model: string | undefined
  /** Its conversation; null: it had none. */
  session: string | null
  tokens: Tokens
  costUsd: number | null
  /** Null: unknown, since its reply was recorded. */
  ms: number | null
  failed: string | null
  /** Why its reply ended; null: the agent does not tell. */
  finish: Finish | null
  usage: AskStep['usage']
}

/** Returns the calls that the method pays, in the order of the steps. */
export function callsOf(steps: Iterable<Step>): TrialCall[] {
  return [...steps].flatMap((step): TrialCall[] => {
    if (step.kind !== 'ask' || step.payer !== 'method') return []
    const { state, visit } = step.iteration ?? {}
    return [
      {
        key: step.key,
        attempt: step.attempt,
        state: typeof state === 'string' ? state : null,
        visit: typeof visit === 'number' ? visit : null,
        role: step.role,
        agent: step.agent,
        model: step.model,
        session: step.session ?? null,
        tokens: step.tokens,
        costUsd: step.costUsd,
        ms: step.sample === undefined ? step.durationMs : null,
        failed: step.error?.reason ?? null,
        finish: step.finish ?? null,
        usage: step.usage,
      },
    ]
  })
}

/** A sum of values of which some may be unknown: null if all are, a lower bound if some are. */
export interface KnownSum {
  value: number | null
  lowerBound: boolean
}

/** A running sum with the number of its known and unknown values. */
export interface PartSum {
  sum: number
  known: number
  unknown: number
}

/** Returns a running sum of nothing. */
export const emptySum = (): PartSum => ({ sum: 0, known: 0, unknown: 0 })

/** Adds a value; null: unknown. */
export function addKnown(part: PartSum, value: number | null): PartSum {
  part.sum += value ?? 0
  part[value === null ? 'unknown' : 'known']++
  return part
}

/** Returns the sum, or the mean over `count`; 0 without values. */
export const toKnownSum = ({ sum, known, unknown }: PartSum, count = 1): KnownSum => ({
  value: known === 0 && unknown > 0 ? null : sum / count,
  lowerBound: known > 0 && unknown > 0,
})

/** Returns input and output together; null if one is unknown. */
export const tokensOf = ({ input, output }: Pick<Tokens, 'input' | 'output'>): number | null =>
  input === null || output === null ? null : input + output

/** What calls spent together. */
export interface CallSums {
  calls: number
  input: KnownSum
  output: KnownSum
  costUsd: KnownSum
}

/** Returns the sums of calls. */
export function sumCalls(calls: readonly TrialCall[]): CallSums {
  const sum = (of: (call: TrialCall) => number | null) =>
    toKnownSum(calls.map(of).reduce(addKnown, emptySum()))
  return {
    calls: calls.length,
    input: sum(({ tokens }) => tokens.input),
    output: sum(({ tokens }) => tokens.output),
    costUsd: sum(({ costUsd }) => costUsd),
  }
}

/** Returns the largest prompt of calls in tokens, caches included; null if no call reported it. */
export function largestPrompt(calls: readonly TrialCall[]): number | null {
  const known = calls.map(({ tokens }) => tokens.input).filter((input) => input !== null)
  return known.length === 0 ? null : Math.max(...known)
}
