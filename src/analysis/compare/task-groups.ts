import { holmAdjust } from '../families/holm.ts'
import { mean } from '../numeric/moments.ts'
import { fewestTasks, tooFewRefusal } from '../paired/difference-claim.ts'
import type { PlacePair } from '../paired/pair-flips.ts'
import { differences } from '../paired/task-difference.ts'
import { geometricMeanRatio, noRatio, type Ratio } from '../ratios/ratio.ts'
import type { Refusal } from '../refusal.ts'
import { permutedGroupsP } from '../resampling/flipped-means.ts'
import { groupDifference } from '../tasks/mean-interval.ts'
import { pairedMeans, type TaskValue } from '../tasks/task-value.ts'
import type { ComparedPair, Outcome, SuiteRow } from './comparison.ts'
import { outcomeDifference, outcomeInterval } from './outcome-difference.ts'
import {
  type GroupEffect,
  type Grouping,
  mergeSplits,
  type PropertyRow,
  type PropertySplit,
  type SpendingByProperty,
  splitByProperty,
} from './property-results.ts'
import type { ComparisonData, MethodTasks, TaskTests } from './rows.ts'

/**
 * Compares each pair on the tasks of each suite, suites by name; empty for a single suite. Each is tested, its p adjusted over
 * all suites and pairs (Holm): the number of p below the level is a lower bound of the number of suites on which one method
 * is better (Dror et al. 2017).
 */
export function compareBySuite(
  methods: readonly MethodTasks[],
  places: readonly PlacePair[],
  {
    tasks,
    clusters,
    suites,
    outcome,
    confidence,
    seed,
    notTested,
  }: TaskTests & Pick<ComparisonData, 'suites'>,
): SuiteRow[] {
  const names = [...new Set(tasks.map((task) => suites.get(task) ?? ''))].sort()
  if (names.length < 2) return []
  const ofPairs = places.map(([a, b]) => {
    const differences = names.map((suite) => {
      const within = [...tasks.keys()].filter((task) => suites.get(tasks[task] as string) === suite)
      const [ours, theirs] = [a, b].map((place) => {
        const values = (methods[place] as MethodTasks).values[outcome]
        return within.map((task) => values[task] as (typeof values)[number])
      }) as [MethodTasks['values'][Outcome], MethodTasks['values'][Outcome]]
      const means = pairedMeans(ours, theirs)
      return {
        ...outcomeDifference(ours, theirs, {
          ...{ confidence, seed: `flips/${seed}/${suite}` },
          clusters: clusters && within.map((task) => clusters[task] as number),
        }),
        means: { meanA: mean(means.a), meanB: mean(means.b) },
      }
    })
    return differences.map(
      ({ nTasks, means, estimate, lower, upper, refusal, missing, claimP }, index): SuiteRow => ({
        suite: names[index] as string,
        a: (methods[a] as MethodTasks).label,
        b: (methods[b] as MethodTasks).label,
        nTasks,
        ...means,
        ...{ estimate, lower, upper },
        p: notTested === null ? claimP : null,
        adjustedP: null,
        refusal: notTested ?? (missing?.decides ? 'missing-decides' : refusal),
      }),
    )
  })
  const rows = names.flatMap((_, suite) => ofPairs.map((ofPair) => ofPair[suite] as SuiteRow))
  const adjusted = holmAdjust(rows.map(({ p }) => p))
  return rows.map((row, index) => ({ ...row, adjustedP: adjusted[index] ?? null }))
}

interface PropertyOptions extends TaskTests {
  /** The stated properties of each task. */
  properties: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Pairs against this method, if it is in the comparison; else all pairs. */
  baseline: string | null
}

/** From this number of tasks in each group on, a t test alone keeps its level. */
const manyTasks = 30

/**
 * Describes how the difference of each pair varies with each stated property: the tasks are split into two groups by their values,
 * and the mean difference of one group is compared with that of the other, tasks as units. Tests need six tasks in each group and
 * are adjusted over all pairs and properties (Holm). Empty if no property splits the tasks.
 */
export function compareByProperty(
  methods: readonly MethodTasks[],
  places: readonly PlacePair[],
  pairs: readonly Pick<ComparedPair, 'outcome'>[],
  options: PropertyOptions,
): PropertyRow[] {
  const { baseline, notTested } = options
  const all = places.map(([a, b], index) => ({
    a: methods[a] as MethodTasks,
    b: methods[b] as MethodTasks,
    decidedByMissing: pairs[index]?.outcome.missing?.decides === true,
  }))
  const against = all.filter(({ a, b }) => b.method === baseline && a.method !== baseline)
  const shown = against.length > 0 ? against : all
  const rows = splitTasks(options).flatMap((split) =>
    shown.map(({ a, b, decidedByMissing }) =>
      describe(a, b, split, {
        ...options,
        notTested: notTested ?? (decidedByMissing ? 'missing-decides' : null),
      }),
    ),
  )
  const adjusted = holmAdjust(rows.map(({ p }) => p))
  return rows.map((row, index) => ({ ...row, adjustedP: adjusted[index] ?? null }))
}

/** Returns the groups into which the stated properties part the tasks. */
export function groupByProperty(
  tasks: readonly string[],
  properties: PropertyOptions['properties'],
): Grouping[] {
  const nameOf = ({ from, to }: PropertySplit['lower']) => (from === to ? String(from) : `${from} to ${to}`)
  return splitTasks({ tasks, properties }).map(({ property, alike, lower, higher }) => ({
    by: [property, ...alike].join(', '),
    groups: [lower, higher].map((group) => ({ name: nameOf(group), tasks: group.tasks })),
  }))
}

/** Returns how the stated properties part the tasks: each two groups once. */
function splitTasks({ tasks, properties }: Pick<PropertyOptions, 'tasks' | 'properties'>): PropertySplit[] {
  const names = [...new Set(tasks.flatMap((task) => Object.keys(properties[task] ?? {})))]
  const splits = names.flatMap(
    (name) =>
      splitByProperty(
        name,
        tasks.map((task) => properties[task]?.[name]),
        fewestTasks,
      ) ?? [],
  )
  return mergeSplits(splits)
}

function describe(
  a: MethodTasks,
  b: MethodTasks,
  split: PropertySplit,
  { outcome, confidence, seed, notTested }: PropertyOptions,
): PropertyRow {
  const { property, lower, higher, nUnstated, alike } = split
  const valuesOn = (tasks: readonly number[], of: MethodTasks) =>
    tasks.map((task) => of.values[outcome][task] as TaskValue)
  const effect = ({ tasks, from, to }: PropertySplit['lower']): GroupEffect => {
    const [ours, theirs] = [valuesOn(tasks, a), valuesOn(tasks, b)]
    const interval = outcomeInterval(ours, theirs, confidence)
    const limits = { estimate: interval.estimate, lower: interval.lower, upper: interval.upper }
    return { nTasks: pairedMeans(ours, theirs).a.length, from, to, ...limits }
  }
  const differencesOn = (tasks: readonly number[]) => {
    const both = pairedMeans(valuesOn(tasks, a), valuesOn(tasks, b))
    return differences(both.a, both.b)
  }
  const [low, high] = [differencesOn(lower.tasks), differencesOn(higher.tasks)]
  const { estimate, se, lower: from, upper: to, refusal } = groupDifference(low, high, confidence)
  const clip = (limit: number | null) => (limit === null ? null : Math.min(2, Math.max(-2, limit)))
  return {
    ...{ property, a: a.label, b: b.label, nUnstated, alike },
    ...{ lower: effect(lower), higher: effect(higher) },
    change: { estimate, lower: clip(from), upper: clip(to), se, refusal },
    ...testChange(low, high, { notTested, seed: `property/${seed}/${property}` }),
    adjustedP: null,
    spent: {
      tokens: spendingOn(a, b, split, 'tokens', confidence),
      costUsd: spendingOn(a, b, split, 'costUsd', confidence),
    },
  }
}

function testChange(
  low: readonly number[],
  high: readonly number[],
  { notTested, seed }: { notTested: Refusal | null; seed: string },
): Pick<PropertyRow, 'p' | 'refusal'> {
  if (notTested !== null) return { p: null, refusal: notTested }
  const fewest = Math.min(low.length, high.length)
  if (fewest < fewestTasks) return { p: null, refusal: tooFewRefusal(fewest) }
  if ([...low, ...high].every((value) => value === low[0])) return { p: null, refusal: 'no-spread' }
  const { p } = groupDifference(low, high, 0.95)
  if (fewest >= manyTasks && p !== null) return { p, refusal: null }
  return { p: Math.max(p ?? 0, permutedGroupsP(low, high, seed)), refusal: null }
}

function spendingOn(
  a: MethodTasks,
  b: MethodTasks,
  { lower, higher }: PropertySplit,
  spent: 'tokens' | 'costUsd',
  confidence: number,
): SpendingByProperty {
  const on = (tasks: readonly number[]) =>
    pairedMeans(
      tasks.map((task) => a.values[spent][task] as TaskValue),
      tasks.map((task) => b.values[spent][task] as TaskValue),
    )
  const [low, high] = [on(lower.tasks), on(higher.tasks)]
  const ratio = ({ a: x, b: y }: typeof low): Ratio => {
    const { p: _, ...typical } = geometricMeanRatio(x, y, confidence)
    return typical
  }
  return { lower: ratio(low), higher: ratio(high), change: ratioOfRatios(low, high, confidence) }
}

type Spendings = { a: readonly number[]; b: readonly number[] }

/** Compares logarithms of ratios by task between two groups, and returns the ratio of their geometric means. */
function ratioOfRatios(low: Spendings, high: Spendings, confidence: number): Ratio {
  if ([...low.a, ...low.b, ...high.a, ...high.b].some((value) => value <= 0)) return noRatio('not-positive')
  const logs = ({ a, b }: Spendings) => a.map((value, i) => Math.log(value) - Math.log(b[i] as number))
  const { estimate, lower, upper, refusal } = groupDifference(logs(low), logs(high), confidence)
  const exp = (value: number | null) => (value === null ? null : Math.exp(value))
  return { ratio: exp(estimate), lower: exp(lower), upper: exp(upper), refusal }
}
