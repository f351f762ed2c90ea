import { mean } from '../numeric/moments.ts'
import type { Refusal } from '../refusal.ts'

/** Mean over tasks of the chance to pass k trials, and that of each task; null if a task has fewer than k trials. */
export interface PassRate {
  estimate: number | null
  perTask: (number | null)[]
  refusal: Refusal | null
}

/** Chance that at least one of k trials passes: 1 - C(n-c, k) / C(n, k) for c successes in n, unbiased (Chen et al. 2021). */
export function passAtK(trials: readonly number[], successes: readonly number[], k: number): PassRate {
  return passRate(trials, k, (n, index) => 1 - shareWithout(n, n - (successes[index] as number), k))
}

/** Chance that all of k trials pass: C(c, k) / C(n, k) for c successes in n, unbiased (tau-bench, Yao et al. 2024). */
export function passHatK(trials: readonly number[], successes: readonly number[], k: number): PassRate {
  return passRate(trials, k, (n, index) => shareWithout(n, successes[index] as number, k))
}

function passRate(
  trials: readonly number[],
  k: number,
  rate: (n: number, index: number) => number,
): PassRate {
  const perTask = trials.map((n, index) => (n < k ? null : rate(n, index)))
  if (perTask.length === 0) return { estimate: null, perTask, refusal: 'no-task' }
  const known = perTask.filter((value) => value !== null)
  return known.length < perTask.length
    ? { estimate: null, perTask, refusal: 'too-few-trials' }
    : { estimate: mean(known), perTask, refusal: null }
}

// C(m, k) / C(n, k), factor by factor, because the binomials overflow.
function shareWithout(n: number, m: number, k: number): number {
  let share = 1
  for (let i = 0; i < k; i++) share *= Math.max(0, m - i) / (n - i)
  return share
}
