import { holmAdjust } from '../families/holm.ts'
import type { PlacePair } from '../paired/pair-flips.ts'
import { jackknifeError } from '../ratios/cost-per-success.ts'
import { knownPriceRatio } from '../ratios/known-price.ts'
import type { Refusal } from '../refusal.ts'
import { compareSpending, type JudgedPair } from './compare-spending.ts'
import type { ComparedPair, PairComparison, Spent } from './comparison.ts'
import {
  type MarginTests,
  noMarginTests,
  rejectIfMissingDecides,
  testMargins,
  verdictOf,
} from './margin-tests.ts'
import { pairSensitivity } from './other-procedures.ts'
import { outcomeDifference } from './outcome-difference.ts'
import { pairPlanning } from './pair-planning.ts'
import type { OutcomeDifference } from './pair-results.ts'
import type { MethodTasks, TaskTests } from './rows.ts'
import { type Assignment, findConfounding, findToolDifference, type Tools } from './tools.ts'

/** How pairs are compared. With `notTested`: estimates and intervals, no tests and no verdicts. */
interface PairOptions extends TaskTests {
  margin: number | null
  /** The models of each row, by its label. */
  assignments: Readonly<Record<string, Assignment>>
  /** The tools of each row, by its label. */
  tools: Readonly<Record<string, Tools>>
  /** Computes other procedures, too, with this number of resamples of tasks. */
  others: { resamples: number } | null
}

/** Compares pairs of methods, given as indexes of the list, as one family. */
export function comparePairs(
  methods: readonly MethodTasks[],
  places: readonly PlacePair[],
  options: PairOptions,
): ComparedPair[] {
  const { outcome, confidence, assignments, tools, others, seed } = options
  const pairs = places.map(([a, b]) => ({ a: methods[a] as MethodTasks, b: methods[b] as MethodTasks }))
  const judged = judgePairs(pairs, options)
  const family = judged.filter(({ adjustedP }) => adjustedP !== null).length
  const spending = (spent: Spent) => compareSpending(methods, places, judged, spent, options)
  const [tokens, costUsd, durationMs] = [spending('tokens'), spending('costUsd'), spending('durationMs')]
  return pairs.map(({ a, b }, index) => {
    const differing = findToolDifference(tools[a.label], tools[b.label])
    const [ofTokens, ofCost, ofTime] = [tokens, costUsd, durationMs].map((list) => list[index])
    return {
      ...(judged[index] as (typeof judged)[number]),
      // One method with two sets of agents is a comparison of the agents.
      confounded: a.method === b.method ? null : findConfounding(assignments[a.label], assignments[b.label]),
      ...(differing && { tools: differing }),
      spent: {
        tokens: (ofTokens as (typeof tokens)[number]).difference,
        costUsd: (ofCost as (typeof tokens)[number]).difference,
        durationMs: (ofTime as (typeof tokens)[number]).difference,
      },
      costPerSuccess: knownPriceRatio(a.graded, b.graded, confidence, jackknifeError),
      dominates: { tokens: ofTokens?.dominates ?? null, costUsd: ofCost?.dominates ?? null },
      sequence: null,
      planning: pairPlanning(a.values[outcome], b.values[outcome], { alpha: 1 - confidence, family }),
      ...(others && { sensitivity: pairSensitivity(a, b, { outcome, confidence, seed, ...others }) }),
    }
  })
}

type Pair = { a: MethodTasks; b: MethodTasks }

function judgePairs(
  pairs: readonly Pair[],
  options: PairOptions,
): (JudgedPair & MarginTests & Pick<PairComparison, 'adjustedP'>)[] {
  const { outcome, confidence, seed, notTested } = options
  const outcomes = pairs
    .map(({ a, b }) =>
      outcomeDifference(a.values[outcome], b.values[outcome], { confidence, seed: `flips/${seed}` }),
    )
    .map((one) => (notTested === null ? one : dropTest(one, notTested)))
  const adjusted = holmAdjust(outcomes.map(({ claimP }) => claimP))
  const margins = testPairMargins(pairs, outcomes, options)
  return pairs.map(({ a, b }, index) => {
    const result = {
      a: a.label,
      b: b.label,
      outcome: outcomes[index] as OutcomeDifference,
      adjustedP: adjusted[index] ?? null,
      ...(margins[index] as MarginTests),
    }
    return { ...result, verdict: notTested === null ? verdictOf(result, 1 - confidence) : null }
  })
}

function testPairMargins(
  pairs: readonly Pair[],
  outcomes: readonly OutcomeDifference[],
  { outcome, margin, confidence, notTested }: PairOptions,
): MarginTests[] {
  if (notTested !== null) return pairs.map(() => noMarginTests(notTested))
  if (margin === null) return pairs.map(() => noMarginTests('no-margin'))
  const values = pairs.map(({ a, b }) => ({ a: a.values[outcome], b: b.values[outcome] }))
  return testMargins(values, margin, 1 - confidence).map((tests, index) =>
    rejectIfMissingDecides(tests, outcomes[index]?.missing ?? null, margin),
  )
}

function dropTest(difference: OutcomeDifference, notTested: Refusal): OutcomeDifference {
  return {
    ...difference,
    p: null,
    test: null,
    exactP: null,
    flips: null,
    claimP: null,
    // A pair without limits keeps its reason; any other reason would judge numbers that are not tested.
    refusal: difference.interval === null ? (difference.refusal ?? notTested) : notTested,
  }
}
