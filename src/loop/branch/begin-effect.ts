import { setImmediate } from 'node:timers/promises'
import { LimitError } from '../../text/errors.ts'
import { countRefusal, requireIdle } from './branch.ts'
import { Interrupted, isInterrupted, isReplayingBreak } from './recorded-steps.ts'
import type { Branch, TrialState } from './trial-state.ts'

const ignore = () => {}
/** An effect that never ends. */
export const never = () => new Promise<never>(ignore)

/** Begins an effect that belongs to its branch even if it is not awaited; its failure does not crash the harness. */
export function trackEffect<T>(branch: Branch, what: string, begin: () => Promise<T>): Promise<T> {
  const { busy } = branch
  const effect = beginIfAllowed(branch, begin)
  // A second effect is refused, so the branch waits for the first.
  if (!busy) branch.effect = effect
  effect.catch(ignore)
  return trackAwait(branch.trialState, what, effect)
}

/** Begins an effect that opens branches of its own. */
export const beginEffect = <T>(branch: Branch, what: string, begin: () => Promise<T>): Promise<T> =>
  trackAwait(branch.trialState, what, beginIfAllowed(branch, begin))

/** Begins an effect unless the trial has ended, is interrupted or has reached a limit. */
async function beginIfAllowed<T>(branch: Branch, begin: () => Promise<T>): Promise<T> {
  const { trialState } = branch
  // Code that a method left running when it ended must not act.
  if (trialState.hasEnded) return never()
  try {
    if (isInterrupted(trialState) && !isReplayingBreak(trialState)) throw new Interrupted()
    if (branch.refused) throw branch.refused.error
    return await begin()
  } catch (error) {
    // A method that catches every refusal must not block the handling of an interrupt.
    await setImmediate()
    return await rejectEffect(branch, error)
  }
}

/**
 * Rejects an effect with its error, or with `Interrupted` in an interrupted trial. Work that catches every refusal would spin
 * for ever: after `maxRefusals` the promise stays pending, and the branch ends without that work.
 */
async function rejectEffect(branch: Branch, error: unknown): Promise<never> {
  const interrupted = isInterrupted(branch.trialState)
  if (!interrupted && !(error instanceof LimitError || error instanceof Interrupted)) throw error
  const refusal = interrupted ? new Interrupted() : error
  if (countRefusal(branch, refusal as Error)) throw refusal
  return new Promise(() => {})
}

/** A promise that notes when its result or failure is taken. */
class TrackedPromise<T> extends Promise<T> {
  onTaken: (() => void) | undefined

  static override get [Symbol.species]() {
    return Promise
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` calls it; there is no other sign that a promise is awaited
  override then<A = T, B = never>(
    onDone?: ((value: T) => A | PromiseLike<A>) | null,
    onFailed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.onTaken?.()
    return super.then(onDone, onFailed)
  }
}

/** Returns the effect's promise; that of a user's method is kept in `unawaitedEffects` until the method awaits it. */
export function trackAwait<T>(
  { unawaitedEffects }: TrialState,
  what: string,
  effect: Promise<T>,
): Promise<T> {
  if (!unawaitedEffects) return effect
  const entry = { what }
  unawaitedEffects.add(entry)
  const watched = new TrackedPromise<T>((resolve, reject) => effect.then(resolve, reject))
  // A method may leave a failed effect unawaited; that must not crash the harness.
  watched.catch(() => {})
  watched.onTaken = () => unawaitedEffects.delete(entry)
  return watched
}

/**
 * Whether a method may write now, files or outputs. Throws after a refusal by a limit, and while an effect is pending: the order
 * of the two would depend on timing.
 */
export function mayWrite(branch: Branch, what: string): boolean {
  if (branch.trialState.hasEnded) return false
  if (branch.refused) throw branch.refused.error
  requireIdle(branch, what)
  return true
}
