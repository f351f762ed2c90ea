import type { Interval } from '../tasks/interval.ts'
import { newcombePairedInterval } from './newcombe-interval.ts'

/** Tasks by who solves them, of `n` tasks. */
export interface MajorityCounts {
  both: number
  onlyA: number
  onlyB: number
  neither: number
  n: number
}

/** Counts tasks by who passes more than half of their epochs, from each method's share of passed epochs by task. */
export function majorityCounts(a: readonly number[], b: readonly number[]): MajorityCounts {
  const count = (ours: boolean, theirs: boolean) =>
    a.filter((value, index) => value > 0.5 === ours && (b[index] as number) > 0.5 === theirs).length
  return {
    both: count(true, true),
    onlyA: count(true, false),
    onlyB: count(false, true),
    neither: count(false, false),
    n: a.length,
  }
}

/** Computes Newcombe's interval of the difference of tasks that each method passes in more than half of the epochs. */
export function majorityInterval(a: readonly number[], b: readonly number[], confidence: number): Interval {
  const { both, onlyA, onlyB, neither } = majorityCounts(a, b)
  return newcombePairedInterval(both, onlyA, onlyB, neither, confidence)
}
