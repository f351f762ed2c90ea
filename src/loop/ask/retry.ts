import { setTimeout as wait } from 'node:timers/promises'
import { seededRandom } from '../../base/random.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import { failureRule } from '../budget/failures.ts'
import { Interrupted } from '../state/recorded-steps.ts'

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

/** Waits in real time. Throws `Interrupted` when aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {
    throw new Interrupted()
  })
}
