import { holmAdjust } from '../families/holm.ts'
import { mean } from '../numeric/moments.ts'
import type { PlacePair } from '../paired/pair-flips.ts'
import type { Refusal } from '../refusal.ts'
import type { Clusters } from '../tasks/clusters.ts'
import { pairedMeans } from '../tasks/task-value.ts'
import type { Outcome, SuiteRow } from './comparison.ts'
import { outcomeDifference } from './outcome-difference.ts'
import type { MethodTasks } from './rows.ts'

interface SuiteOptions {
  tasks: readonly string[]
  clusters: Clusters | null
  suites: ReadonlyMap<string, string>
  outcome: Outcome
  confidence: number
  seed: number
  /** Why nothing is tested; null: tests are made. */
  silence: Refusal | null
}

/**
 * Compares each pair on the tasks of each suite, suites by name; empty for a single suite. Each is tested, its p adjusted over
 * all suites and pairs (Holm): the number of p below the level is a lower bound of the number of suites on which one method
 * is better (Dror et al. 2017).
 */
export function compareBySuite(
  methods: readonly MethodTasks[],
  places: readonly PlacePair[],
  { tasks, clusters, suites, outcome, confidence, seed, silence }: SuiteOptions,
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
        p: silence === null ? claimP : null,
        adjustedP: null,
        refusal: silence ?? (missing?.decides ? 'missing-decides' : refusal),
      }),
    )
  })
  const rows = names.flatMap((_, suite) => ofPairs.map((ofPair) => ofPair[suite] as SuiteRow))
  const adjusted = holmAdjust(rows.map(({ p }) => p))
  return rows.map((row, index) => ({ ...row, adjustedP: adjusted[index] ?? null }))
}
