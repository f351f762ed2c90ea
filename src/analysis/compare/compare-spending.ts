import { benjaminiHochbergAdjust, holmAdjust } from '../families/holm.ts'
import { differenceClaim } from '../paired/difference-claim.ts'
import { type PlacePair, pairFlips } from '../paired/pair-flips.ts'
import { type SignFlipTest, signFlipTest } from '../paired/sign-flip-test.ts'
import { differences } from '../paired/task-difference.ts'
import { fiellerRatio, geometricMeanRatio, medianRatio, percentSaved, ratioOfMeans } from '../ratios/ratio.ts'
import type { Refusal } from '../refusal.ts'
import { type Clusters, clusterSums } from '../tasks/clusters.ts'
import { largestTask, pairedMeans, type TaskValue } from '../tasks/task-value.ts'
import type { PairComparison, Spent } from './comparison.ts'
import { outcomeInterval } from './outcome-difference.ts'
import type { SpentDifference } from './pair-results.ts'
import type { MethodTasks } from './rows.ts'

/** A pair with its outcome and verdict, which every claim of a saving needs. */
export type JudgedPair = Pick<PairComparison, 'a' | 'b' | 'outcome' | 'notWorse' | 'verdict'>

interface SpendingOptions {
  tasks: readonly string[]
  clusters: Clusters | null
  confidence: number
  seed: number
  notTested: Refusal | null
}

/** Compares one kind of spending for all pairs, with the claims that it and the outcomes allow. */
export function compareSpending(
  methods: readonly MethodTasks[],
  places: readonly PlacePair[],
  judged: readonly JudgedPair[],
  spent: Spent,
  options: SpendingOptions,
): { difference: SpentDifference; dominates: string | null }[] {
  const { tasks, clusters, confidence, seed, notTested } = options
  const means = methods.map(({ values }) => values[spent].map(({ mean }) => mean))
  const flips = clusters ? [] : pairFlips(means, places, `flips/${seed}`)
  const raw = places
    .map(([a, b], index) =>
      spentDifference(methods[a] as MethodTasks, methods[b] as MethodTasks, spent, {
        tasks,
        clusters,
        confidence,
        flip: flips[index] ?? null,
      }),
    )
    .map((one) => (notTested === null ? one : dropTest(one, notTested)))
  const p = raw.map(({ claimP }) => claimP)
  const [exploratory, family] = [benjaminiHochbergAdjust(p), holmAdjust(p)]
  return raw.map((one, index) => {
    const pair = judged[index] as JudgedPair
    const familyP = family[index] ?? null
    return {
      difference: {
        ...one,
        familyP,
        exploratoryP: exploratory[index] ?? null,
        atEqualSuccess: claimedSaver(pair, sideByLimits(one)),
      },
      dominates:
        familyP !== null && familyP < (1 - confidence) / kindsOfSpending
          ? claimedSaver(pair, sideByEstimate(one))
          : null,
    }
  })
}

/** Tokens and cost share the level of claims about spending. */
const kindsOfSpending = 2

type Side = 'a' | 'b'

/** Returns the label of the side if it is also better or not worse, else null: no other side may claim a saving. */
function claimedSaver(pair: JudgedPair, side: Side | null): string | null {
  if (side === null || pair.verdict === null || pair.outcome.missing?.decides) return null
  const better = pair.verdict.word === 'better' && pair.verdict.method === pair[side]
  return better || pair.notWorse[side].holds ? pair[side] : null
}

function sideByLimits({ ratio: { lower, upper } }: Pick<SpentDifference, 'ratio'>): Side | null {
  if (upper !== null && upper < 1) return 'a'
  return lower !== null && lower > 1 ? 'b' : null
}

function sideByEstimate({ ratio: { ratio } }: Pick<SpentDifference, 'ratio'>): Side | null {
  if (ratio === null || Math.abs(ratio - 1) <= 1e-12) return null
  return ratio < 1 ? 'a' : 'b'
}

function dropTest<T extends Omit<SpentDifference, 'familyP' | 'exploratoryP' | 'atEqualSuccess'>>(
  difference: T,
  notTested: Refusal,
): T {
  return {
    ...difference,
    p: null,
    exactP: null,
    claimP: null,
    refusal: difference.nTasks < 2 ? (difference.refusal ?? notTested) : notTested,
  }
}

/** Compares the spending of A and B, failed trials included, over the tasks where both are known. */
function spentDifference(
  a: MethodTasks,
  b: MethodTasks,
  spent: Spent,
  {
    tasks,
    clusters,
    confidence,
    flip,
  }: Pick<SpendingOptions, 'tasks' | 'clusters' | 'confidence'> & { flip: SignFlipTest | null },
): Omit<SpentDifference, 'familyP' | 'exploratoryP' | 'atEqualSuccess'> {
  const meanAt = (method: MethodTasks, task: number) => method.values[spent][task]?.mean ?? null
  const both = [...tasks.keys()].filter((task) => meanAt(a, task) !== null && meanAt(b, task) !== null)
  const groups = clusters && both.map((task) => clusters[task] as number)
  const ofTasks = (method: MethodTasks) => both.map((task) => meanAt(method, task) as number)
  const [ofA, ofB] = [ofTasks(a), ofTasks(b)]
  const [x, y] = [clusterSums(ofA, groups), clusterSums(ofB, groups)]
  const fieller = fiellerRatio(x, y, confidence)
  // Spending is never below 0, so nobody saves more than 100%.
  const ratio = { ...fieller, lower: fieller.lower === null ? null : Math.max(0, fieller.lower) }
  const values = differences(x, y)
  const { p, exactP, claimP, refusal } = differenceClaim(values, () => flip ?? signFlipTest(values))
  const { p: _, ...typical } = geometricMeanRatio(ofA, ofB, confidence, groups)
  const successOf = ({ values }: MethodTasks) => both.map((task) => values.success[task] as TaskValue)
  const [ours, theirs] = [successOf(a), successOf(b)]
  const { estimate, lower, upper } = outcomeInterval(ours, theirs, confidence, groups)
  return {
    nTasks: both.length,
    nDropped: tasks.length - both.length,
    ratio,
    saved: percentSaved(ratio.ratio, ratio.lower, ratio.upper),
    typical,
    median: medianRatio(x, y, confidence),
    largest: largestOf(
      { a: a.label, b: b.label },
      both.map((task) => tasks[task] as string),
      [ofA, ofB],
    ),
    p,
    exactP,
    claimP,
    success: { estimate, lower, upper, nTasks: pairedMeans(ours, theirs).a.length },
    refusal,
  }
}

/** Returns the task that holds most of the spending of either method, if that is more than 20%, with the ratio without it. */
function largestOf(
  { a, b }: { a: string; b: string },
  names: readonly string[],
  [x, y]: readonly [readonly number[], readonly number[]],
): SpentDifference['largest'] {
  const [ofA, ofB] = [largestTask(names, x), largestTask(names, y)]
  const largest = (ofA?.share ?? 0) > (ofB?.share ?? 0) ? ofA : ofB
  if (!largest) return null
  const rest = (values: readonly number[]) => values.filter((_, index) => names[index] !== largest.task)
  return {
    ...largest,
    of: largest === ofA ? a : b,
    nTasks: names.length,
    ratioWithout: ratioOfMeans(rest(x), rest(y)),
  }
}
