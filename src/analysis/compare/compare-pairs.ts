import { cochranQTest, friedmanTest } from '../families/friedman-test.ts'
import { holmAdjust } from '../families/holm.ts'
import { cliffsDelta } from '../paired/cliffs-delta.ts'
import { fewestTasks } from '../paired/difference-claim.ts'
import { hodgesLehmann } from '../paired/hodges-lehmann.ts'
import type { PlacePair } from '../paired/pair-flips.ts'
import { differences } from '../paired/task-difference.ts'
import { wilcoxonSignedRank } from '../paired/wilcoxon-signed-rank.ts'
import { jackknifeError } from '../ratios/cost-per-success.ts'
import { knownPriceRatio } from '../ratios/known-price.ts'
import { logRatioInterval } from '../ratios/ratio.ts'
import type { Refusal } from '../refusal.ts'
import { bootstrapMean, bootstrapRatio, type Resampling } from '../resampling/bootstrap.ts'
import type { Clusters } from '../tasks/clusters.ts'
import { jeffreysInterval } from '../tasks/interval.ts'
import { clusteredStandardError } from '../tasks/mean-interval.ts'
import { fillMissing, pairedMeans, type TaskValue, taskMeans } from '../tasks/task-value.ts'
import { compareSpending, type JudgedPair } from './compare-spending.ts'
import type { ComparedPair, Outcome, PairComparison, Spent } from './comparison.ts'
import { type Assignment, findConfounding, findToolDifference, type Hands } from './hands.ts'
import {
  type MarginTests,
  noMarginTests,
  rejectIfMissingDecides,
  testMargins,
  verdictOf,
} from './margin-tests.ts'
import type { MethodSensitivity, Omnibus, PairSensitivity } from './other-procedures.ts'
import { hasSingleTrials, outcomeDifference } from './outcome-difference.ts'
import { pairPlanning } from './pair-planning.ts'
import type { OutcomeDifference } from './pair-results.ts'
import type { MethodTasks } from './rows.ts'

/** How pairs are compared. With `silence`: estimates and intervals, no tests and no verdicts. */
interface PairOptions {
  tasks: readonly string[]
  /** The clusters of the tasks; null: each task is a unit. */
  clusters: Clusters | null
  outcome: Outcome
  confidence: number
  margin: number | null
  seed: number
  silence: Refusal | null
  /** The models of each row, by its label. */
  assignments: Readonly<Record<string, Assignment>>
  /** The tools of each row, by its label. */
  hands: Readonly<Record<string, Hands>>
  /** Computes other procedures, too, with this number of resamples of tasks. */
  others: { resamples: number } | null
}

/** Compares pairs of methods, given as indexes of the list, as one family. */
export function comparePairs(
  methods: readonly MethodTasks[],
  places: readonly PlacePair[],
  options: PairOptions,
): ComparedPair[] {
  const { outcome, confidence, clusters, assignments, hands, others, seed } = options
  const pairs = places.map(([a, b]) => ({ a: methods[a] as MethodTasks, b: methods[b] as MethodTasks }))
  const judged = judgePairs(pairs, options)
  const family = judged.filter(({ adjustedP }) => adjustedP !== null).length
  const spending = (spent: Spent) => compareSpending(methods, places, judged, spent, options)
  const [tokens, costUsd, durationMs] = [spending('tokens'), spending('costUsd'), spending('durationMs')]
  return pairs.map(({ a, b }, index) => {
    const tools = findToolDifference(hands[a.label], hands[b.label])
    const [ofTokens, ofCost, ofTime] = [tokens, costUsd, durationMs].map((list) => list[index])
    return {
      ...(judged[index] as (typeof judged)[number]),
      // One method with two sets of agents is a comparison of the agents.
      confounded: a.method === b.method ? null : findConfounding(assignments[a.label], assignments[b.label]),
      ...(tools && { tools }),
      spent: {
        tokens: (ofTokens as (typeof tokens)[number]).difference,
        costUsd: (ofCost as (typeof tokens)[number]).difference,
        durationMs: (ofTime as (typeof tokens)[number]).difference,
      },
      costPerSuccess: {
        ...knownPriceRatio(a.graded, b.graded, confidence, jackknifeError, clusters),
        ...(options.silence !== null && { p: null }),
      },
      dominates: { tokens: ofTokens?.dominates ?? null, costUsd: ofCost?.dominates ?? null },
      sequence: null,
      planning: pairPlanning(a.values[outcome], b.values[outcome], {
        ...{ alpha: 1 - confidence, family, clusters },
      }),
      ...(others && { sensitivity: pairSensitivity(a, b, { outcome, confidence, seed, ...others }) }),
    }
  })
}

type Pair = { a: MethodTasks; b: MethodTasks }

function judgePairs(
  pairs: readonly Pair[],
  options: PairOptions,
): (JudgedPair & MarginTests & Pick<PairComparison, 'adjustedP'>)[] {
  const { outcome, confidence, seed, silence, clusters } = options
  const outcomes = pairs
    .map(({ a, b }) =>
      outcomeDifference(a.values[outcome], b.values[outcome], {
        ...{ confidence, seed: `flips/${seed}`, clusters },
      }),
    )
    .map((one) => (silence === null ? one : dropTest(one, silence)))
  const adjusted = holmAdjust(outcomes.map(({ claimP }) => claimP))
  const margins = testPairMargins(pairs, options)
  const judged = whereMissingDecides(outcomes, adjusted, 1 - confidence)
  return pairs.map(({ a, b }, index) => {
    const result = {
      a: a.label,
      b: b.label,
      outcome: judged[index] as OutcomeDifference,
      adjustedP: adjusted[index] ?? null,
      ...(margins[index] as MarginTests),
    }
    return { ...result, verdict: silence === null ? verdictOf(result, 1 - confidence) : null }
  })
}

/** Marks the pairs whose claim would hold if the missing trials were left out, and does not hold with them. */
function whereMissingDecides(
  outcomes: readonly OutcomeDifference[],
  adjusted: readonly (number | null)[],
  alpha: number,
): OutcomeDifference[] {
  const without = holmAdjust(outcomes.map(({ claimP, missing }) => missing?.knownP ?? claimP))
  return outcomes.map((one, index) => {
    const isLost = (without[index] ?? 1) < alpha && (adjusted[index] ?? 1) >= alpha
    return one.missing && isLost ? { ...one, missing: { ...one.missing, decides: true } } : one
  })
}

function testPairMargins(
  pairs: readonly Pair[],
  { outcome, margin, confidence, silence, clusters }: PairOptions,
): MarginTests[] {
  if (silence !== null) return pairs.map(() => noMarginTests(silence))
  if (margin === null) return pairs.map(() => noMarginTests('no-margin'))
  const values = pairs.map(({ a, b }) => ({ a: a.values[outcome], b: b.values[outcome] }))
  const tests = testMargins(values, margin, 1 - confidence, clusters)
  if (values.every(({ a, b }) => [...a, ...b].every(({ missing }) => missing === 0))) return tests
  const filled = (ofA: number, ofB: number) =>
    values.map(({ a, b }) => ({ a: fillMissing(a, ofA), b: fillMissing(b, ofB) }))
  const [againstA, againstB] = [filled(0, 1), filled(1, 0)].map((one) =>
    testMargins(one, margin, 1 - confidence, clusters),
  ) as [MarginTests[], MarginTests[]]
  return tests.map((one, index) =>
    rejectIfMissingDecides(one, againstA[index] as MarginTests, againstB[index] as MarginTests),
  )
}

function dropTest(difference: OutcomeDifference, silence: Refusal): OutcomeDifference {
  return {
    ...difference,
    p: null,
    test: null,
    exactP: null,
    flips: null,
    claimP: null,
    missing: difference.missing && { ...difference.missing, knownP: null, worstP: null },
    // A pair without limits keeps its reason; any other reason would judge numbers that are not tested.
    refusal: difference.interval === null ? (difference.refusal ?? silence) : silence,
  }
}

/** Computes the success of one method by other procedures. */
export function methodSensitivity(success: readonly TaskValue[], confidence: number): MethodSensitivity {
  const means = taskMeans(success)
  const passed = means.filter((value) => value === 1).length
  return {
    jeffreys: hasSingleTrials(success, success) ? jeffreysInterval(passed, means.length, confidence) : null,
    overTrials: clusteredStandardError(success),
  }
}

function pairSensitivity(
  a: MethodTasks,
  b: MethodTasks,
  { outcome, ...resampling }: Resampling & { outcome: Outcome },
): PairSensitivity {
  const { confidence } = resampling
  const means = pairedMeans(a.values[outcome], b.values[outcome])
  // Sorted by value, so that the draws of a bootstrap do not depend on task names.
  const values = [...differences(means.a, means.b)].sort((x, y) => x - y)
  const spent = (of: Spent) => {
    const known = pairedMeans(a.values[of], b.values[of])
    const pairs = known.a.map((x, task) => [x, known.b[task] as number] as const)
    pairs.sort((one, other) => one[0] - other[0] || one[1] - other[1])
    const [x, y] = [pairs.map(([value]) => value), pairs.map(([, value]) => value)]
    return { logRatio: logRatioInterval(x, y, confidence), bootstrap: bootstrapRatio(x, y, resampling) }
  }
  return {
    bootstrap: bootstrapMean(values, resampling),
    pseudomedian: hodgesLehmann(values, confidence),
    wilcoxon: values.length < fewestTasks ? null : wilcoxonSignedRank(values),
    cliffsDelta: cliffsDelta(means.a, means.b).delta,
    spent: { tokens: spent('tokens'), costUsd: spent('costUsd'), durationMs: spent('durationMs') },
  }
}

/** Tests whether the methods differ at all on the tasks that all have; null with fewer than three methods. */
export function omnibusTest(methods: readonly (readonly TaskValue[])[]): Omnibus | null {
  const [first = []] = methods
  if (methods.length < 3) return null
  const matrix = first.map((_, task) => methods.map((values) => values[task]?.mean ?? null))
  const whole = matrix.filter((row): row is number[] => row.every((value) => value !== null))
  if (methods.every((values) => hasSingleTrials(values, values))) {
    const { q, ...test } = cochranQTest(whole)
    return { test: 'cochran-q', statistic: q, ...test, nTasks: whole.length }
  }
  const { chi2, df, p, nTasks, refusal } = friedmanTest(whole, true)
  return { test: 'friedman', statistic: chi2, df, p, nTasks, refusal }
}
