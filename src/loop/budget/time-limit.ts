import { longestTimer } from '../../base/longest-timer.ts'
import type { RunBudget } from './run-budget.ts'

/** Calls that were in flight when the time of the run was over may take this long at least; ms. */
const leastGraceMs = 10_000

/**
 * Calls `cut` when the time of a run has been over for so long that what is still in flight hangs: twice as long as the
 * longest call so far took, and 10 s at least. The admission, which there is wherever there is a limit, remembers that the run was stopped.
 * Gives what ends the watch. `now`: the real time of all sessions; ms.
 */
export function cutHangingCalls(
  timeMs: number | undefined,
  now: () => number,
  runBudget: Pick<RunBudget, 'longestCallMs' | 'markStopped'> | undefined,
  cut: () => void,
): () => void {
  if (timeMs === undefined || !runBudget) return () => {}
  let timer: NodeJS.Timeout
  const watch = () => {
    const left = timeMs + Math.max(leastGraceMs, 2 * runBudget.longestCallMs()) - now()
    if (left <= 0) {
      runBudget.markStopped()
      return cut()
    }
    timer = setTimeout(watch, Math.min(left, longestTimer))
    // A run that ends before that need not wait for it.
    timer.unref()
  }
  watch()
  return () => clearTimeout(timer)
}
