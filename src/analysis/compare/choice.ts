import { seededRandom, shuffled } from '../../base/random.ts'
import { holmAdjust } from '../families/holm.ts'
import { mean } from '../numeric/moments.ts'
import { studentP, studentQuantile } from '../numeric/student.ts'
import { fewestTasks } from '../paired/difference-claim.ts'
import type { Refusal } from '../refusal.ts'
import { clusterSums } from '../tasks/clusters.ts'
import type { Interval } from '../tasks/interval.ts'
import { meanInterval } from '../tasks/mean-interval.ts'
import type { GroupChoice, Grouping } from './property-results.ts'
import type { ComparisonData, MethodTasks, TaskTests } from './rows.ts'

/** How often the tasks are parted into halves: then chance moves a gain by half a point at most. */
export const halvings = 200

/**
 * Measures for each grouping what a choice by it gains. The tasks are parted into two halves at random, 200 times; each half chooses the
 * best method of each group and the best single method for the other half. The gain is the mean over all halves. Its standard error is
 * that of a single parting (the root of their mean variance), over tasks or clusters: simulations in `test/nightly/statistics` show that
 * naive limits of ten folds claim gains that are not there in up to 12% of runs, and these in 0.2%.
 */
export function measureChoices(
  methods: readonly MethodTasks[],
  groupings: readonly Grouping[],
  options: TaskTests,
): GroupChoice[] {
  const rows = mergeGroupings(groupings).map((grouping) => measureChoice(methods, grouping, options))
  const adjusted = holmAdjust(rows.map(({ p }) => p))
  return rows.map((row, index) => ({ ...row, adjustedP: adjusted[index] ?? null }))
}

/** Returns each way to part the tasks once, with all names that it has. */
function mergeGroupings(groupings: readonly Grouping[]): Grouping[] {
  const merged = new Map<string, Grouping>()
  for (const grouping of groupings) {
    const key = JSON.stringify(grouping.groups.map(({ tasks }) => tasks.join()).sort())
    const same = merged.get(key)
    merged.set(key, same ? { ...same, by: `${same.by}, ${grouping.by}` } : grouping)
  }
  return [...merged.values()]
}

/** Returns the suites as groups; none for a single suite. */
export function groupBySuite(tasks: readonly string[], suites: ComparisonData['suites']): Grouping[] {
  const names = [...new Set(tasks.map((task) => suites.get(task) ?? ''))].sort()
  if (names.length < 2) return []
  const within = (name: string) => [...tasks.keys()].filter((at) => suites.get(tasks[at] as string) === name)
  return [{ by: 'suite', groups: names.map((name) => ({ name, tasks: within(name) })) }]
}

/** The values of methods on the tasks that all of them have. */
interface Field {
  /** By method, then by task. */
  values: number[][]
  /** The group of each task. */
  groups: number[]
  /** The cluster of each task; null: each task is a unit. */
  clusters: number[] | null
}

function measureChoice(
  methods: readonly MethodTasks[],
  { by, groups }: Grouping,
  { outcome, clusters, confidence, seed, notTested }: TaskTests,
): GroupChoice {
  const known = groups.flatMap(({ tasks }, group) =>
    tasks
      .filter((task) => methods.every(({ values }) => typeof values[outcome][task]?.mean === 'number'))
      .map((task) => ({ task, group })),
  )
  const field: Field = {
    values: methods.map(({ values }) => known.map(({ task }) => values[outcome][task]?.mean as number)),
    groups: known.map(({ group }) => group),
    clusters: clusters && known.map(({ task }) => clusters[task] as number),
  }
  const chosen = choose(field, [...known.keys()], groups.length)
  const labelOf = (place: number) => (methods[place] as MethodTasks).label
  const sizes = groups.map((_, group) => field.groups.filter((own) => own === group).length)
  return {
    by,
    groups: groups.map(({ name }, group) => ({
      ...{ name, nTasks: sizes[group] as number },
      method: labelOf(chosen.byGroup[group] as number),
    })),
    ...{ single: labelOf(chosen.single), nTasks: known.length, adjustedP: null },
    ...gainOf(field, groups.length, { confidence, seed: `choice/${seed}`, notTested }),
  }
}

function gainOf(
  field: Field,
  groups: number,
  { confidence, seed, notTested }: { confidence: number; seed: string; notTested: Refusal | null },
): Interval & Pick<GroupChoice, 'p' | 'refusal'> {
  const units = [...new Set(field.clusters ?? field.groups.keys())]
  const nothing = { estimate: null, lower: null, upper: null, p: null }
  if (units.length < 2 * fewestTasks)
    return { ...nothing, refusal: field.clusters ? 'too-few-clusters' : 'too-few-tasks' }
  const random = seededRandom(seed)
  let [estimate, meanVariance, isEven] = [0, 0, true]
  for (let round = 0; round < halvings; round++) {
    const first = new Set(shuffled(units, random).slice(0, Math.floor(units.length / 2)))
    const gains = clusterSums(gainsOfHalves(field, first, groups), field.clusters)
    estimate += (mean(gains) as number) / halvings
    meanVariance += (meanInterval(gains, confidence).se ?? 0) ** 2 / halvings
    isEven &&= gains.every((gain) => gain === 0)
  }
  if (isEven) return { ...nothing, estimate: 0, refusal: 'one-method-leads' }
  const se = Math.sqrt(meanVariance)
  const margin = studentQuantile((1 + confidence) / 2, units.length - 1) * se
  const limits = { lower: Math.max(-1, estimate - margin), upper: Math.min(1, estimate + margin) }
  const p = notTested === null ? studentP(estimate / se, units.length - 1) : null
  return { estimate, ...limits, p, refusal: notTested }
}

/** Returns for each task what the choice of the other half gains on it. */
function gainsOfHalves(field: Field, first: ReadonlySet<number>, groups: number): number[] {
  const isFirst = [...field.groups.keys()].map((task) => first.has(field.clusters?.[task] ?? task))
  const [ofFirst, ofSecond] = [true, false].map((half) =>
    choose(
      field,
      [...isFirst.keys()].filter((task) => isFirst[task] === half),
      groups,
    ),
  ) as [Choice, Choice]
  return field.groups.map((group, task) => {
    const { byGroup, single } = isFirst[task] ? ofSecond : ofFirst
    const on = (method: number) => field.values[method]?.[task] as number
    return on(byGroup[group] as number) - on(single)
  })
}

interface Choice {
  /** The method of each group, as an index. */
  byGroup: number[]
  single: number
}

/** Chooses from these tasks the best method of all, and the best of each group; of equal ones the former. */
function choose({ values, groups }: Field, tasks: readonly number[], nGroups: number): Choice {
  const sums = values.map((row) => {
    const ofGroups = new Array<number>(nGroups).fill(0)
    for (const task of tasks) (ofGroups[groups[task] as number] as number) += row[task] as number
    return ofGroups
  })
  const bestOf = (totals: readonly number[], first: number) =>
    totals.reduce((best, total, at) => (total > (totals[best] as number) + rounding ? at : best), first)
  const single = bestOf(
    sums.map((ofGroups) => ofGroups.reduce((sum, value) => sum + value, 0)),
    0,
  )
  const byGroup = Array.from({ length: nGroups }, (_, group) =>
    bestOf(
      sums.map((ofGroups) => ofGroups[group] as number),
      single,
    ),
  )
  return { byGroup, single }
}

/** Sums of equal values in another order differ by less. */
const rounding = 1e-9
