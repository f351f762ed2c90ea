import type { StrategyResult } from '../../strategy.ts'
import type { Branch, BranchWork, TrialState } from './trial-state.ts'

/*
 * Work that a method started but did not use: an ask that it never awaited, a branch whose files it never adopted. Neither is an
 * error, but both are nearly always a mistake that nothing else reports.
 */

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
