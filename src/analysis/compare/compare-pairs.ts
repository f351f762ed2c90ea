import { holmAdjust } from '../families/holm.ts'
import type { PlacePair } from '../paired/pair-flips.ts'
import { jackknifeError } from '../ratios/cost-per-success.ts'
import { knownPriceRatio } from '../ratios/known-price.ts'
import type { Refusal } from '../refusal.ts'
import { fillMissing } from '../tasks/task-value.ts'
import { compareSpending, type JudgedPair } from './compare-spending.ts'
import type { ComparedPair, PairComparison, PairSensitivity, Spent } from './comparison.ts'
import {
  type MarginTests,
  noMarginTests,
  rejectIfMissingDecides,
  testMargins,
  verdictOf,
} from './margin-tests.ts'
import { type AgentsAsMethod, compareModels } from './mixes.ts'
import { flipRates } from './noise-floor.ts'
import { pairSensitivities } from './other-procedures.ts'
import { outcomeDifference } from './outcome-difference.ts'
import { pairPlanning } from './pair-planning.ts'
import type { OutcomeDifference } from './pair-results.ts'
import type { MethodTasks, TaskTests } from './rows.ts'
import { type Assignment, findToolDifference, type Tools } from './tools.ts'

/** How pairs are compared. With `notTested`: estimates and intervals, no tests and no verdicts. */
interface PairOptions extends TaskTests {
  margin: number | null
  /** The models of each row, by its label. */
  assignments: Readonly<Record<string, Assignment>>
  /** The rows whose agents are their method, by their labels. */
  agentsAsMethod: Readonly<Record<string, AgentsAsMethod>>
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
  const { outcome, confidence, clusters, assignments, agentsAsMethod, tools, others, seed } = options
  const pairs = places.map(([a, b]) => ({ a: methods[a] as MethodTasks, b: methods[b] as MethodTasks }))
  const judged = judgePairs(pairs, options)
  const family = judged.filter(({ adjustedP }) => adjustedP !== null).length
  const spending = (spent: Spent) => compareSpending(methods, places, judged, spent, options)
  const [tokens, costUsd, durationMs] = [spending('tokens'), spending('costUsd'), spending('durationMs')]
  const sensitivities = others && pairSensitivities(methods, places, { outcome, confidence, seed, ...others })
  const flipsOf = flipRates(methods, tools)
  const modelsOf = ({ label }: MethodTasks) => ({
    assignment: assignments[label],
    kind: agentsAsMethod[label],
  })
  return pairs.map(({ a, b }, index) => {
    const flips = flipsOf({ a, b })
    const differing = findToolDifference(tools[a.label], tools[b.label])
    const [ofTokens, ofCost, ofTime] = [tokens, costUsd, durationMs].map((list) => list[index])
    return {
      ...(judged[index] as (typeof judged)[number]),
      // One method with two sets of agents is a comparison of the agents.
      ...(a.method === b.method ? { confounded: null } : compareModels(modelsOf(a), modelsOf(b))),
      ...(differing && { tools: differing }),
      spent: {
        tokens: (ofTokens as (typeof tokens)[number]).difference,
        costUsd: (ofCost as (typeof tokens)[number]).difference,
        durationMs: (ofTime as (typeof tokens)[number]).difference,
      },
      costPerSuccess: {
        ...knownPriceRatio(a.graded, b.graded, confidence, jackknifeError, clusters),
        ...(options.notTested !== null && { p: null }),
      },
      dominates: { tokens: ofTokens?.dominates ?? null, costUsd: ofCost?.dominates ?? null },
      sequence: null,
      planning: pairPlanning(a.values[outcome], b.values[outcome], {
        ...{ alpha: 1 - confidence, family, clusters },
      }),
      ...(flips && { flips }),
      ...(sensitivities && { sensitivity: sensitivities[index] as PairSensitivity }),
    }
  })
}

type Pair = { a: MethodTasks; b: MethodTasks }

function judgePairs(
  pairs: readonly Pair[],
  options: PairOptions,
): (JudgedPair & MarginTests & Pick<PairComparison, 'adjustedP'>)[] {
  const { outcome, confidence, seed, notTested, clusters } = options
  const outcomes = pairs
    .map(({ a, b }) =>
      outcomeDifference(a.values[outcome], b.values[outcome], {
        ...{ confidence, seed: `flips/${seed}`, clusters },
      }),
    )
    .map((one) => (notTested === null ? one : dropTest(one, notTested)))
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
    return { ...result, verdict: notTested === null ? verdictOf(result, 1 - confidence) : null }
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
  { outcome, margin, confidence, notTested, clusters }: PairOptions,
): MarginTests[] {
  if (notTested !== null) return pairs.map(() => noMarginTests(notTested))
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

function dropTest(difference: OutcomeDifference, notTested: Refusal): OutcomeDifference {
  return {
    ...difference,
    p: null,
    test: null,
    exactP: null,
    flips: null,
    claimP: null,
    missing: difference.missing && { ...difference.missing, knownP: null, worstP: null },
    // A pair without limits keeps its reason; any other reason would judge numbers that are not tested.
    refusal: difference.interval === null ? (difference.refusal ?? notTested) : notTested,
  }
}
