import { mean } from '../numeric/moments.ts'
import type { Refusal } from '../refusal.ts'
import type { SignFlipTest } from './sign-flip-test.ts'
import { differenceTest } from './task-difference.ts'

/** With fewer tasks no test is made: a sign-flip test cannot reach 5%. */
export const fewestTasks = 6
/** With fewer tasks, or with more than half ties, a claim needs both tests. */
export const fewTasks = 10

interface DifferenceClaim {
  p: number | null
  test: 'paired-t' | 'sign-flip' | null
  exactP: number | null
  flips: number | null
  claimP: number | null
  refusal: Refusal | null
}

/**
 * Makes the paired t test of task differences and the sign-flip test. If tasks are few or most are ties, a claim needs both,
 * so it uses the greater p. If all differences are equal there is no t, only the sign-flip test.
 */
export function differenceClaim(values: readonly number[], flip: () => SignFlipTest): DifferenceClaim {
  const none = { p: null, test: null, exactP: null, flips: null, claimP: null }
  if (values.length < fewestTasks) return { ...none, refusal: tooFewRefusal(values.length) }
  const { p, refusal } = differenceTest(values, 0.95)
  const { p: exactP, flips } = flip()
  if (p === null) {
    const tied = mean(values) === 0
    return {
      p: exactP,
      test: 'sign-flip',
      exactP,
      flips,
      claimP: exactP,
      refusal: tied ? 'not-separated' : refusal,
    }
  }
  return { p, test: 'paired-t', exactP, flips, claimP: claimPValue(values, p, exactP), refusal: null }
}

/** Returns the p that a claim uses: the greater of both if tasks are few or most are ties, else `p`. */
export function claimPValue(values: readonly number[], p: number, exactP: number | null): number {
  return needsGuard(values) ? Math.max(p, exactP ?? 1) : p
}

/** Whether tasks are few, or most are ties: then a claim needs a second procedure beside the usual one. */
export function needsGuard(values: readonly number[]): boolean {
  return needsBothTests(values.length, values.filter((value) => value !== 0).length)
}

/** The same by numbers: `separated` tasks are not ties. */
export function needsBothTests(tasks: number, separated: number): boolean {
  return tasks < fewTasks || separated < tasks / 2
}

/** Returns why this number of tasks allows no test. */
export function tooFewRefusal(tasks: number): Refusal {
  return tasks === 0 ? 'no-task' : tasks === 1 ? 'one-task' : 'too-few-tasks'
}
