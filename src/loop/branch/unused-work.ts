import type { StrategyResult } from '../../strategy.ts'
import { requireIdle } from './branch.ts'
import type { Branch, BranchWork, TrialState } from './trial-state.ts'

/*
 * Work that a method started but did not use: an ask that it never awaited, a branch whose files it never adopted. Neither is an
 * error, but both are nearly always a mistake that nothing else reports.
 */

/** Notes a branch, so that it can be reported when its work stays unused. */
export function noteBranch(branch: Branch, above: Branch): void {
  const { changed, answer } = above.state
  branch.trialState.openedBranches.push({ branch, above, before: { changed, answer } })
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

/** Returns the effect's promise for a user's method, and keeps it in `unawaitedEffects` until the method awaits it. */
export function trackAwait<T>(
  unawaitedEffects: Set<{ what: string }>,
  what: string,
  effect: Promise<T>,
): Promise<T> {
  const entry = { what }
  unawaitedEffects.add(entry)
  const watched = new TrackedPromise<T>((resolve, reject) => effect.then(resolve, reject))
  // A method may leave a failed effect unawaited; that must not crash the harness.
  watched.catch(() => {})
  watched.onTaken = () => unawaitedEffects.delete(entry)
  return watched
}

/** Describes the work that a finished method did not use, one sentence each. */
export function describeUnusedWork(
  { unawaitedEffects = new Set(), openedBranches, plan: { task } }: TrialState,
  { stopReason, answer }: StrategyResult,
): string[] {
  const asks = [...unawaitedEffects].map(({ what }) => `${what} was never awaited`)
  const isFiles = task.spec.output === 'files'
  // A method that gave up need not adopt anything, and neither need one that returns its answer.
  if (stopReason !== 'done' || (answer !== undefined && !isFiles)) return asks
  const isNew = (now: BranchWork, before: BranchWork) =>
    now.changed !== before.changed || (!isFiles && now.answer !== before.answer)
  const parents = new Map(openedBranches.map(({ branch, above }) => [branch, above]))
  // A branch under a lost one is lost too, even if it had ended before.
  const isLost = (branch: Branch | undefined): boolean =>
    branch !== undefined && (branch.lost || isLost(parents.get(branch)))
  const branches = openedBranches.flatMap(({ branch, above, before }) =>
    !isLost(branch) && isNew(branch.state, before) && !above.hasAdopted && !isNew(above.state, before)
      ? [`branch "${branch.path}" made ${isFiles ? 'changes' : 'an answer'}, and nothing of it was adopted`]
      : [],
  )
  return [...asks, ...branches]
}

/**
 * Whether a method may write now, files or outputs. Throws after a refusal by a limit, and while an effect is pending: the order
 * of the two would depend on timing.
 */
export function mayWrite(branch: Branch, what: string): boolean {
  const { hasEnded } = branch.trialState

  if (hasEnded) return false
  if (branch.refused) throw branch.refused.error
  requireIdle(branch, what)
  return true
}
