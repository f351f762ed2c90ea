import type { ComparisonPlan, StopRule } from '../../schema/run/comparison-plan.ts'
import { claimsOf, familiesOf } from '../claims/claims.ts'
import { type PriceClaim, pricePairs } from '../claims/price-claims.ts'
import { evidenceOf } from '../evidence.ts'
import type { PlacePair } from '../paired/pair-flips.ts'
import type { Refusal } from '../refusal.ts'
import { type ClusterNames, clustersOf } from '../tasks/clusters.ts'
import { checkStopRule, type StopRuleState } from './check-stop-rule.ts'
import { groupBySuite, measureChoices } from './choice.ts'
import { comparePairs } from './compare-pairs.ts'
import type { ComparedPair, Comparison } from './comparison.ts'
import { explainPairs } from './explain-pairs.ts'
import { frontierOf } from './frontier-of.ts'
import { computeInteractions } from './interactions.ts'
import { methodEstimates } from './method-estimates.ts'
import type { AgentsAsMethod } from './mixes.ts'
import { methodSensitivity, omnibusTest } from './other-procedures.ts'
import {
  type ComparisonData,
  dropBounds,
  labelRows,
  type MethodTasks,
  methodTasks,
  pairPlaces,
} from './rows.ts'
import { compareByProperty, compareBySuite, groupByProperty } from './task-groups.ts'
import type { Assignment, Tools } from './tools.ts'

/** What is compared, fixed before the run; by default all pairs on success, without a margin. */
export interface CompareOptions extends Partial<ComparisonPlan> {
  /** Label of the baseline, which is B in each of its pairs. */
  baseline?: string | null
  /** Labels in the order of the rows; others follow by name. */
  methods?: readonly string[]
  /** Labels of the sets of agents, in their order; empty if there is one set. */
  agentSets?: readonly string[]
  /** The model of each role, by the label of the row; without it confounding is not detected. */
  assignments?: Readonly<Record<string, Assignment>>
  /** The rows whose agents are their method, by label; without it their pairs are confounded with the model. */
  agentsAsMethod?: Readonly<Record<string, AgentsAsMethod>>
  /** What the agents of each row could call or use, by the label of the row; without it differences of tools are not detected. */
  tools?: Readonly<Record<string, Tools>>
  /** Stated properties of the tasks, by their names in records; without them nothing is said of properties. */
  properties?: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** The cluster of each task that has one: tests and limits are then by cluster. */
  clusters?: ClusterNames
  /** Planned epochs of each task; planned trials without a record are missing. */
  epochs?: number
  /** Tasks in the order of the plan; a stop rule needs it. */
  order?: readonly string[]
  /** Why tests for a fixed number of tasks are void; null: they are valid. `looked` voids their intervals, too. */
  voided?: Refusal | null
  /** Default 0.95; tests are at 1 - confidence. */
  confidence?: number
  /** Resamples of tasks for frontier membership; default 10,000. */
  resamples?: number
  /** Seed of all random draws; default 1. */
  seed?: number
}

/** Compares the methods of the data. */
export function compareMethods(
  { rows: allRows, mix, suites, oneProcess }: ComparisonData,
  options: CompareOptions = {},
): Comparison {
  const { family = 'all-pairs', baseline = null, outcome = 'success', margin = null, stop } = options
  const { confidence = 0.95, resamples = 10_000, seed = 1, calibration, voided = null } = options
  const { methods: labels = [], agentSets = [], assignments = {}, tools = {}, properties = {} } = options
  const competing = dropBounds(allRows())
  const bounds = allRows().length - competing.length
  const rows = labelRows(competing, labels, agentSets)
  const kind = mix.kind()
  const { simulated } = kind
  const seen = [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))]
  const isClustered = clustersOf(seen, options.clusters ?? {}) !== null
  const stopping =
    stop &&
    !isClustered &&
    checkStopRule(rows, {
      order: options.order ?? [],
      epochs: options.epochs ?? 1,
      methods: Math.max(labels.length * Math.max(1, agentSets.length) - bounds, rows.length),
      ...{ outcome, family, baseline, stop },
    })
  const isTested = evidenceOf(kind).beside.test.length > 0 || calibration === true
  const notTested = whyNotTested({ isTested, stop, isClustered, voided })
  const others = notTested === null && !simulated && !isClustered ? { resamples } : null
  // Sorted, so that the order of the records does not change the draws.
  const tasks = (stopping ? stopping.tasks : seen).toSorted()
  const methods = rows.map((row) => methodTasks(row, row.cells, tasks, options.epochs ?? 0))
  const clusters = clustersOf(tasks, options.clusters ?? {})
  const places = pairPlaces(methods, family, baseline)
  const compared = comparePairs(methods, places, {
    ...{ tasks, clusters, outcome, confidence, margin, seed, notTested, assignments, tools, others },
    agentsAsMethod: options.agentsAsMethod ?? {},
  })
  const estimates = methods.map((method) => ({
    ...methodEstimates(method, tasks, { confidence, outcome, clusters }),
    ...(others && { sensitivity: methodSensitivity(method.values.success, confidence) }),
  }))
  const limitless = stopping !== undefined || voided === 'looked'
  const pairs = limitless ? withoutLimits(compared) : compared
  const final = stopping
    ? pairs.map((pair) => applyStopRule(pair, stopping, { verdicts: calibration === true || !simulated }))
    : pairs
  const suiteRows = compareBySuite(methods, places, {
    ...{ tasks, clusters, suites, outcome, confidence, seed, notTested },
  })
  const byProperty = compareByProperty(methods, places, compared, {
    ...{ tasks, clusters, properties, baseline, outcome, confidence, seed },
    notTested: notTested ?? (clusters && 'not-by-cluster'),
  })
  const choices = isTested
    ? measureChoices(methods, [...groupBySuite(tasks, suites), ...groupByProperty(tasks, properties)], {
        ...{ tasks, clusters, outcome, confidence, seed, notTested },
      })
    : []
  const frontier = (spent: 'tokens' | 'costUsd') =>
    frontierOf(methods, outcome, spent, {
      ...{ clusters, resamples, seed: `frontier/${seed}`, words: notTested === null },
    })
  const interactions = computeInteractions(methods, { outcome, confidence, family, baseline, clusters })
  const prices = pricesOf(methods, places, compared, { baseline, confidence, clusters })
  const result = {
    confidence,
    outcome,
    family: { kind: family, baseline, size: compared.filter(({ adjustedP }) => adjustedP !== null).length },
    margin,
    resamples,
    seed,
    ...kind,
    calibration: calibration === true && simulated,
    faults: mix.faults(),
    silence: notTested,
    stop: stopping && stop ? { rule: stop, looks: stopping.looks, settledAt: stopping.settledAt } : null,
    tasks,
    clusters: clusters && new Set(clusters).size,
    methods: limitless ? withoutLimits(estimates) : estimates,
    pairs: explainPairs(final, methods, places, {
      ...{ tasks, suites, rows: suiteRows, outcome, confidence, margin, limits: !limitless },
      sequence: stopping && stop ? stop.sequence : null,
    }),
    suites: limitless ? withoutLimits(suiteRows) : suiteRows,
    frontiers: { tokens: frontier('tokens'), costUsd: frontier('costUsd') },
    interactions: limitless ? withoutLimits(interactions) : interactions,
    ...(byProperty.length > 0 && {
      byProperty: limitless ? withoutLimits(byProperty) : byProperty,
    }),
    ...(choices.length > 0 && { choices: limitless ? withoutLimits(choices) : choices }),
    ...touchedRows(rows),
    ...(oneProcess.size > 0 && { oneProcess: oneProcess.size }),
    ...(others && { omnibus: omnibusTest(methods.map(({ values }) => values[outcome])) }),
    prices: limitless ? withoutLimits(prices) : prices,
  }
  return { ...result, claims: claimsOf(result), families: familiesOf(result) }
}

function pricesOf(
  methods: readonly MethodTasks[],
  places: readonly PlacePair[],
  compared: readonly ComparedPair[],
  options: Parameters<typeof pricePairs>[1],
): PriceClaim[] {
  const pairs = places.map(([a, b], index) => ({
    ...{ a: methods[a] as MethodTasks, b: methods[b] as MethodTasks },
    known: (compared[index] as ComparedPair).costPerSuccess,
  }))
  return pricePairs(pairs, options)
}

/** Returns why nothing is tested; a stop rule looks task by task, so it does not know clusters. */
function whyNotTested({
  isTested,
  stop,
  isClustered,
  voided,
}: {
  isTested: boolean
  stop: StopRule | undefined
  isClustered: boolean
  voided: Refusal | null
}): Refusal | null {
  if (!isTested) return 'simulated'
  if (stop) return isClustered ? 'not-by-cluster' : 'stop-rule'
  return voided
}

function touchedRows(rows: readonly { label: string; touched?: number }[]): Pick<Comparison, 'touched'> {
  const touched = rows.flatMap(({ label, touched: trials = 0 }) => (trials > 0 ? [{ label, trials }] : []))
  return touched.length > 0 ? { touched } : {}
}

function applyStopRule(
  pair: ComparedPair,
  { pairs, comparisons }: StopRuleState,
  { verdicts }: { verdicts: boolean },
): ComparedPair {
  const look = pairs.find(({ a, b }) => a === pair.a && b === pair.b)?.look ?? null
  if (look === null) return pair
  const { lower, upper, centre, pAnytime, settledAt } = look
  const estimate = look.estimate ?? pair.outcome.estimate
  const settled = settledAt !== null && !pair.outcome.missing?.decides
  return {
    ...pair,
    sequence: verdicts ? look : { ...look, pAnytime: null },
    outcome: {
      ...pair.outcome,
      ...{ estimate, lower, upper },
      outsideLimits: estimate !== null && ((lower ?? -1) > estimate || (upper ?? 1) < estimate),
      interval: lower === null ? null : 'confidence-sequence',
      refusal: look.refusal ?? pair.outcome.refusal,
    },
    // Each comparison gets an equal share of alpha, so p is multiplied by their number.
    adjustedP: verdicts && pAnytime !== null ? Math.min(1, comparisons * pAnytime) : null,
    verdict: !verdicts
      ? null
      : settled
        ? { word: 'better', method: (centre ?? (estimate as number)) > 0 ? pair.a : pair.b }
        : { word: 'not-established' },
  }
}

/** What says something only of a fixed number of tasks. */
const claims = new Set(['interval', 'atEqualSuccess', 'mde', 'mdeInFamily'])

/** Returns estimates without limits and claims for a fixed number of tasks: they are wrong after a look at results. */
function withoutLimits<Value>(value: Value): Value {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(withoutLimits) as Value
  const isLimit = (key: string, field: unknown) =>
    (key === 'lower' || key === 'upper') && typeof field !== 'object' && 'upper' in value
  const fields = Object.entries(value).map(([key, field]) => [
    key,
    claims.has(key) || isLimit(key, field) ? null : withoutLimits(field),
  ])
  return Object.fromEntries(fields) as Value
}
