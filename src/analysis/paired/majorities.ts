import { type Interval, wilsonInterval } from '../tasks/interval.ts'

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

/**
 * Computes the interval of the difference of two success rates on the same tasks, one trial each: tasks solved by `both`,
 * `onlyA`, `onlyB`, `neither`. Method 10 of Newcombe 1998 (Stat Med 17:2635): Wilson limits, squared and added with the
 * correlation, whose numerator is shrunk by n / 2 when positive. It has a width even if no task separates the methods.
 */
export function newcombePairedInterval(
  both: number,
  onlyA: number,
  onlyB: number,
  neither: number,
  confidence: number,
): Interval {
  const n = both + onlyA + onlyB + neither
  if (n === 0) return { estimate: null, lower: null, upper: null }
  const a = limits(both + onlyA, n, confidence)
  const b = limits(both + onlyB, n, confidence)
  const product = both * neither - onlyA * onlyB
  const scale = Math.sqrt((both + onlyA) * (onlyB + neither) * (both + onlyB) * (onlyA + neither))
  const phi = scale === 0 ? 0 : (product > 0 ? Math.max(product - n / 2, 0) : product) / scale
  const add = (x: number, y: number) => Math.sqrt(Math.max(0, x * x - 2 * phi * x * y + y * y))
  const estimate = a.rate - b.rate
  return {
    estimate,
    lower: Math.max(-1, estimate - add(a.rate - a.lower, b.upper - b.rate)),
    upper: Math.min(1, estimate + add(a.upper - a.rate, b.rate - b.lower)),
  }
}

function limits(successes: number, n: number, confidence: number) {
  const { lower, upper } = wilsonInterval(successes, n, confidence)
  return { rate: successes / n, lower: lower as number, upper: upper as number }
}
