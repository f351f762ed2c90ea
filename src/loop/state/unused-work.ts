import type { StrategyResult } from '../../strategy.ts'
import type { Branch, BranchWork } from './branch.ts'
import type { TrialState } from './trial-state.ts'

/*
 * What a method began and made nothing of: an ask that it never awaited, a branch whose changed files it never adopted. Neither
 * is an error, and both are nearly always a mistake that nothing else would tell.
 */

/** Notes a branch, so that it can be told when nothing of its work was used. */
export function noteBranch(trialState: TrialState, branch: Branch, above: Branch): void {
  const { changed, answer } = above.state
  trialState.openedBranches.push({ branch, above, before: { changed, answer } })
}

/** The promise of an effect that is told as never awaited, unless somebody takes its result or its failure. */
class TrackedPromise<T> extends Promise<T> {
  onTaken: (() => void) | undefined

  static override get [Symbol.species]() {
    return Promise
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` calls it, and nothing else tells that a promise is awaited
  override then<A = T, B = never>(
    onDone?: ((value: T) => A | PromiseLike<A>) | null,
    onFailed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.onTaken?.()
    return super.then(onDone, onFailed)
  }
}

/** The effect as a method of the user's gets it: when the method has ended, it is known whether it was awaited. */
export function trackAwait<T>(
  unawaitedEffects: NonNullable<TrialState['unawaitedEffects']>,
  what: string,
  effect: Promise<T>,
): Promise<T> {
  const entry = { what }
  unawaitedEffects.add(entry)
  const watched = new TrackedPromise<T>((resolve, reject) => effect.then(resolve, reject))
  // A failure that nobody awaits is the method's choice, not a crash of the harness.
  watched.catch(() => {})
  watched.onTaken = () => unawaitedEffects.delete(entry)
  return watched
}

/** What a method that has returned made nothing of, in words. */
export function describeUnusedWork(
  { unawaitedEffects = new Set(), openedBranches, task }: TrialState,
  { stopReason, answer }: StrategyResult,
): string[] {
  const asks = [...unawaitedEffects].map(({ what }) => `${what} was never awaited`)
  const isFiles = task.spec.output === 'files'
  // Who gave up need not take anything over, and an answer that is returned need not be adopted.
  if (stopReason !== 'done' || (answer !== undefined && !isFiles)) return asks
  const isNew = (now: BranchWork, before: BranchWork) =>
    now.changed !== before.changed || (!isFiles && now.answer !== before.answer)
  const parents = new Map(openedBranches.map(({ branch, above }) => [branch, above]))
  // One that had ended when the branch above it lost is as lost as the others, whichever came first.
  const isLost = (branch: Branch | undefined): boolean =>
    branch !== undefined && (branch.lost || isLost(parents.get(branch)))
  const branches = openedBranches.flatMap(({ branch, above, before }) =>
    !isLost(branch) && isNew(branch.state, before) && !isNew(above.state, before)
      ? [`branch "${branch.path}" made ${isFiles ? 'changes' : 'an answer'}, and nothing of it was adopted`]
      : [],
  )
  return [...asks, ...branches]
}
