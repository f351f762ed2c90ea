import { holmAdjust } from '../families/holm.ts'
import { fewestTasks, tooFewRefusal } from '../paired/difference-claim.ts'
import { nonInferiorityPaired, tostPaired } from '../paired/equivalence.ts'
import { differences } from '../paired/task-difference.ts'
import type { Refusal } from '../refusal.ts'
import { type Clusters, clusterMeans, clusterSums } from '../tasks/clusters.ts'
import { type PairedMeans, pairedMeans, type TaskValue } from '../tasks/task-value.ts'
import type { PairComparison } from './comparison.ts'
import { lowerGuard, marginGuard } from './margin-guard.ts'
import { hasSingleTrials } from './outcome-difference.ts'
import type { MarginTest, OutcomeDifference, Verdict } from './pair-results.ts'

/** Tests of a pair against the margin. */
export type MarginTests = Pick<PairComparison, 'notWorse' | 'equivalent'>

/** Returns tests that were not made, with the reason. */
export function noMarginTests(refusal: Refusal): MarginTests {
  const none: MarginTest = { p: null, adjustedP: null, guard: null, holds: false, refusal }
  return { notWorse: { a: none, b: none }, equivalent: none }
}

/**
 * Tests the outcome of each pair for non-inferiority in both directions, one-sided at alpha / 2, and for equivalence at alpha;
 * each kind is adjusted over all its tests (Holm). No test below six tasks. Guards share their level over the pairs that are
 * tested (Bonferroni): of the two directions of a pair at most one can be a false claim.
 */
export function testMargins(
  pairs: readonly { a: readonly TaskValue[]; b: readonly TaskValue[] }[],
  margin: number,
  alpha: number,
  clusters: Clusters | null = null,
): MarginTests[] {
  const known = pairs.map(({ a, b }) => ({
    means: pairedMeans(a, b, clusters),
    single: !clusters && hasSingleTrials(a, b),
  }))
  const unguarded = known.map(({ means }) => testMargin(means, margin, alpha))
  const tested = unguarded.filter(({ equivalent }) => equivalent.p !== null).length
  const raw = unguarded.map((tests, index) => {
    const { means, single } = known[index] as (typeof known)[number]
    return guardMargin(tests, means, { margin, alpha: alpha / Math.max(1, tested), single })
  })
  const notWorse = holmAdjust(raw.flatMap((tests) => [tests.notWorse.a.p, tests.notWorse.b.p]))
  const equivalent = holmAdjust(raw.map((tests) => tests.equivalent.p))
  const judge = (test: MarginTest, adjustedP: number | null, level: number): MarginTest => ({
    ...test,
    adjustedP,
    holds: adjustedP !== null && adjustedP < level && (test.guard?.holds ?? true),
  })
  return raw.map((tests, index) => ({
    notWorse: {
      a: judge(tests.notWorse.a, notWorse[2 * index] ?? null, alpha / 2),
      b: judge(tests.notWorse.b, notWorse[2 * index + 1] ?? null, alpha / 2),
    },
    equivalent: judge(tests.equivalent, equivalent[index] ?? null, alpha),
  }))
}

function testMargin({ a, b, clusters }: PairedMeans, margin: number, alpha: number): MarginTests {
  const values = clusterSums(differences(a, b), clusters)
  if (values.length < fewestTasks)
    return noMarginTests(clusters ? 'too-few-clusters' : tooFewRefusal(values.length))
  const turned = values.map((value) => -value)
  return {
    notWorse: {
      a: open(nonInferiorityPaired(values, margin, alpha / 2)),
      b: open(nonInferiorityPaired(turned, margin, alpha / 2)),
    },
    equivalent: open(tostPaired(values, -margin, margin, alpha)),
  }
}

/**
 * Adds to each test of a pair its guard. The limits of rates have alpha / 2 on each side for "equivalent", too: so with one
 * epoch it needs the whole printed interval inside the margin, and the two never contradict.
 */
function guardMargin(
  tests: MarginTests,
  { a, b, clusters }: PairedMeans,
  { margin, alpha, single }: { margin: number; alpha: number; single: boolean },
): MarginTests {
  // What is lost whole is a unit: a task, or a cluster of them.
  const [ours, theirs] = [clusterMeans(a, clusters), clusterMeans(b, clusters)]
  if (ours.length < fewestTasks) return tests
  const options = { margin, rateLevel: alpha / 2, single }
  const guards = (level: number) =>
    [
      marginGuard(ours, theirs, { ...options, level }),
      marginGuard(theirs, ours, { ...options, level }),
    ] as const
  const [guardA, guardB] = guards(alpha / 2)
  const [below, above] = guards(alpha)
  const { notWorse, equivalent } = tests
  return {
    notWorse: { a: { ...notWorse.a, guard: guardA }, b: { ...notWorse.b, guard: guardB } },
    equivalent: { ...equivalent, guard: lowerGuard(below, above) },
  }
}

/**
 * Returns the tests. One that does not hold if the missing trials all went against A, or against B, does not hold: "A is not
 * worse" has to withstand the first, "equivalent" both.
 */
export function rejectIfMissingDecides(
  { notWorse, equivalent }: MarginTests,
  againstA: MarginTests,
  againstB: MarginTests,
): MarginTests {
  const unless = (test: MarginTest, withstands: boolean): MarginTest =>
    withstands || !test.holds ? test : { ...test, holds: false, refusal: 'missing-decides' }
  return {
    notWorse: {
      a: unless(notWorse.a, againstA.notWorse.a.holds),
      b: unless(notWorse.b, againstB.notWorse.b.holds),
    },
    equivalent: unless(equivalent, againstA.equivalent.holds && againstB.equivalent.holds),
  }
}

function open({ p, refusal }: { p: number | null; refusal: Refusal | null }): MarginTest {
  return { p, adjustedP: null, guard: null, holds: false, refusal }
}

interface VerdictInput extends MarginTests {
  a: string
  b: string
  outcome: OutcomeDifference
  adjustedP: number | null
}

/**
 * Returns the verdict that a result allows. "Better" needs an adjusted p below alpha, "not worse" and "equivalent" need their
 * test against the margin; all else is "open", which does not mean "no difference". Missing trials that could
 * reverse the result prevent a claim.
 */
export function verdictOf(
  { a, b, outcome, adjustedP, notWorse, equivalent }: VerdictInput,
  alpha: number,
): Verdict {
  if (outcome.claimP === null || adjustedP === null) return { word: 'too-few-tasks' }
  if (outcome.missing?.decides) return { word: 'not-established' }
  if (outcome.separated === 0) return { word: 'not-separated' }
  if (adjustedP < alpha) return { word: 'better', method: (outcome.estimate as number) > 0 ? a : b }
  if (equivalent.holds) return { word: 'equivalent' }
  if (notWorse.a.holds) return { word: 'not-worse', method: a }
  if (notWorse.b.holds) return { word: 'not-worse', method: b }
  return { word: 'not-established' }
}
