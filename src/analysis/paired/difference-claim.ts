import { mean } from '../numeric/moments.ts'
import type { Refusal } from '../refusal.ts'
import type { SignFlipTest } from './sign-flip-test.ts'
import { differenceTest } from './task-difference.ts'

/** Below this number of tasks no test is made: a sign flip cannot reach 5%. */
export const fewestTasks = 6
/** Below this number of tasks, or with more ties than half, both tests have to agree. */
const fewTasks = 10

/** The default test of task differences and what a claim may rest on. */
interface DifferenceClaim {
  p: number | null
  test: 'paired-t' | 'sign-flip' | null
  exactP: number | null
  flips: number | null
  claimP: number | null
  refusal: Refusal | null
}

/**
 * Paired t test of task differences with the sign flip beside it. Where tasks are few or most of them ties, a claim
 * needs both: the greater p. Where all differences are the same there is no t, and only the sign flip.
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

/** The p that a claim rests on: the greater of both where tasks are few or most of them ties. */
export function claimPValue(values: readonly number[], p: number, exactP: number | null): number {
  const ties = values.filter((value) => value === 0).length
  return values.length < fewTasks || ties > values.length / 2 ? Math.max(p, exactP ?? 1) : p
}

/** Why so few tasks allow no test. */
export function tooFewRefusal(tasks: number): Refusal {
  return tasks === 0 ? 'no-task' : tasks === 1 ? 'one-task' : 'too-few-tasks'
}
