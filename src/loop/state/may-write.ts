import { type Branch, requireIdle } from './branch.ts'
import type { TrialState } from './trial-state.ts'

/**
 * Whether a method may write now, files or outputs. Throws after a refusal by a limit, and while an effect is pending: the order
 * of the two would depend on timing.
 */
export function mayWrite({ hasEnded }: TrialState, branch: Branch, what: string): boolean {
  if (hasEnded) return false
  if (branch.refused) throw branch.refused.error
  requireIdle(branch, what)
  return true
}
