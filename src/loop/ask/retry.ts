import { setTimeout as wait } from 'node:timers/promises'
import { seededRandom } from '../../base/random.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import { failureRule } from '../budget/failures.ts'
import { Interrupted } from '../state/trial-state.ts'

/** Retries of an ask, and as many of its repair turn, where `--retries` says nothing. */
export const defaultRetries = 3

/** The most that `--retries` takes: with waits of a minute, half an hour. */
export const maxRetries = 30

const firstWaitMs = 1_000
const maxWaitMs = 60_000
/** Who asks for more has run out of quota, not of breath: that trial is for `--retry-errors`. */
export const maxRetryAfterMs = 300_000

/**
 * How long to wait before a failed attempt is made again, in ms; undefined when it is not. `made` counts the retries
 * before. The wait doubles from 1 s up to 60 s, half of it seeded by chance so that parallel trials do not come back
 * together, and is never shorter than the provider asks for.
 */
export function retryDelay(
  { trial, key, attempt, error }: Pick<AskStep, 'trial' | 'key' | 'attempt' | 'error'>,
  made: number,
  allowed: number,
): number | undefined {
  if (!error || made >= Math.min(allowed, failureRule(error.reason).retries)) return undefined
  const { retryAfterMs = 0 } = error
  if (retryAfterMs > maxRetryAfterMs) return undefined
  const half = Math.min(firstWaitMs * 2 ** made, maxWaitMs) / 2
  const chance = seededRandom(`retry/${trial}/${key}/${attempt}`)()
  return Math.round(Math.max(half, retryAfterMs) + half * chance)
}

/** Waits in real time; rejects with `Interrupted` as soon as it is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {
    throw new Interrupted()
  })
}
