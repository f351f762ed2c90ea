import { longestTimer } from '../../base/longest-timer.ts'
import type { RunBudget } from './run-budget.ts'

/** Least time that calls in flight get after the run's time limit; ms. */
const minGraceMs = 10_000

/**
 * Calls `cut` when calls in flight exceed the run's time limit by twice the duration of the longest call so far, at least 10 s, and
 * marks the budget as stopped. `now` returns the real time of all sessions in ms. Returns a function that ends the watch.
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
    const left = timeMs + Math.max(minGraceMs, 2 * runBudget.longestCallMs()) - now()
    if (left <= 0) {
      runBudget.markStopped()
      return cut()
    }
    timer = setTimeout(watch, Math.min(left, longestTimer))
    // The timer must not keep a process alive whose run has ended.
    timer.unref()
  }
  watch()
  return () => clearTimeout(timer)
}
