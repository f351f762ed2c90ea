import { holmAdjust } from '../families/holm.ts'
import { mean } from '../numeric/moments.ts'
import type { PlacePair } from '../paired/pair-flips.ts'
import { pairedMeans } from '../tasks/task-value.ts'
import type { Outcome, SuiteRow } from './comparison.ts'
import { outcomeDifference } from './outcome-difference.ts'
import type { ComparisonData, MethodTasks, TaskTests } from './rows.ts'

/** Suites from which on each suite is tested. */
const fewestSuites = 3

/**
 * Compares each pair on the tasks of each suite, suites by name; empty for a single suite. With three suites or more each
 * suite is tested, its p adjusted over the suites of the pair (Holm): the number of p below the level is a lower bound of
 * the number of suites on which one method is better (Dror et al. 2017).
 */
export function compareBySuite(
  methods: readonly MethodTasks[],
  places: readonly PlacePair[],
  { tasks, suites, outcome, confidence, seed, silence }: TaskTests & Pick<ComparisonData, 'suites'>,
): SuiteRow[] {
  const names = [...new Set(tasks.map((task) => suites.get(task) ?? ''))].sort()
  if (names.length < 2) return []
  const isTested = names.length >= fewestSuites && silence === null
  const ofPairs = places.map(([a, b]) => {
    const differences = names.map((suite) => {
      const within = [...tasks.keys()].filter((task) => suites.get(tasks[task] as string) === suite)
      const [ours, theirs] = [a, b].map((place) => {
        const values = (methods[place] as MethodTasks).values[outcome]
        return within.map((task) => values[task] as (typeof values)[number])
      }) as [MethodTasks['values'][Outcome], MethodTasks['values'][Outcome]]
      const means = pairedMeans(ours, theirs)
      return {
        ...outcomeDifference(ours, theirs, { confidence, seed: `flips/${seed}/${suite}` }),
        means: { meanA: mean(means.a), meanB: mean(means.b) },
      }
    })
    const adjusted = holmAdjust(differences.map(({ claimP }) => (isTested ? claimP : null)))
    return differences.map(
      ({ nTasks, means, estimate, lower, upper, refusal, missing }, index): SuiteRow => ({
        suite: names[index] as string,
        a: (methods[a] as MethodTasks).label,
        b: (methods[b] as MethodTasks).label,
        nTasks,
        ...means,
        ...{ estimate, lower, upper },
        adjustedP: adjusted[index] ?? null,
        refusal: isTested && missing?.decides ? 'missing-decides' : isTested ? refusal : silence,
      }),
    )
  })
  return names.flatMap((_, suite) => ofPairs.map((rows) => rows[suite] as SuiteRow))
}
