import type { Finish } from '../../schema/ledger/finish.ts'
import type { AskStep, Step } from '../../schema/ledger/step.ts'
import type { Tokens } from '../../schema/tokens.ts'
import { type KnownSum, knownSum } from './known-sum.ts'

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
  ms: number
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
        ms: step.durationMs,
        failed: step.error?.reason ?? null,
        finish: step.finish ?? null,
        usage: step.usage,
      },
    ]
  })
}

/** What calls spent together. */
export interface CallSums {
  calls: number
  input: KnownSum
  output: KnownSum
  costUsd: KnownSum
}

/** Returns the sums of calls. */
export function sumCalls(calls: readonly TrialCall[]): CallSums {
  return {
    calls: calls.length,
    input: knownSum(calls.map(({ tokens }) => tokens.input)),
    output: knownSum(calls.map(({ tokens }) => tokens.output)),
    costUsd: knownSum(calls.map(({ costUsd }) => costUsd)),
  }
}

/** Groups calls by a name, in the order of the first call of each. */
export function groupCalls(
  calls: readonly TrialCall[],
  nameOf: (call: TrialCall) => string,
): [name: string, calls: TrialCall[]][] {
  const groups = new Map<string, TrialCall[]>()
  for (const call of calls) {
    const group = groups.get(nameOf(call))
    if (group) group.push(call)
    else groups.set(nameOf(call), [call])
  }
  return [...groups]
}

/** Returns the largest prompt of calls in tokens, caches included; null if no call reported it. */
export function largestPrompt(calls: readonly TrialCall[]): number | null {
  const known = calls.map(({ tokens }) => tokens.input).filter((input) => input !== null)
  return known.length === 0 ? null : Math.max(...known)
}
