import type { Interval } from '../tasks/interval.ts'
import { newcombePairedInterval } from './newcombe-interval.ts'

/**
 * Computes Newcombe's interval of the difference of tasks solved, from each method's share of passed epochs by task. With
 * several epochs a method solves a task that it passes in more than half of them.
 */
export function majorityInterval(a: readonly number[], b: readonly number[], confidence: number): Interval {
  const count = (ours: boolean, theirs: boolean) =>
    a.filter((value, index) => value > 0.5 === ours && (b[index] as number) > 0.5 === theirs).length
  return newcombePairedInterval(
    count(true, true),
    count(true, false),
    count(false, true),
    count(false, false),
    confidence,
  )
}
