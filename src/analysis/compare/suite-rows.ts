import { mean } from '../numeric/moments.ts'
import type { PlacePair } from '../resampling/pair-flips.ts'
import { pairedMeans } from '../tasks/task-value.ts'
import type { Outcome, SuiteRow } from './comparison.ts'
import type { MethodTasks } from './method-tasks.ts'
import { outcomeInterval } from './outcome-interval.ts'

/** Each pair on the tasks of each suite, suites by name; nothing where there is one suite only. */
export function suiteRows(
  methods: readonly MethodTasks[],
  places: readonly PlacePair[],
  {
    tasks,
    suites,
    outcome,
    confidence,
  }: { tasks: readonly string[]; suites: ReadonlyMap<string, string>; outcome: Outcome; confidence: number },
): SuiteRow[] {
  const names = [...new Set(tasks.map((task) => suites.get(task) ?? ''))].sort()
  if (names.length < 2) return []
  return names.flatMap((suite) => {
    const within = [...tasks.keys()].filter((task) => suites.get(tasks[task] as string) === suite)
    const valuesOf = (place: number) => {
      const values = (methods[place] as MethodTasks).values[outcome]
      return within.map((task) => values[task] as (typeof values)[number])
    }
    return places.map(([a, b]) => {
      const [ours, theirs] = [valuesOf(a), valuesOf(b)]
      const { estimate, lower, upper } = outcomeInterval(ours, theirs, confidence)
      const means = pairedMeans(ours, theirs)
      return {
        suite,
        a: (methods[a] as MethodTasks).label,
        b: (methods[b] as MethodTasks).label,
        nTasks: means.a.length,
        meanA: mean(means.a),
        meanB: mean(means.b),
        estimate,
        lower,
        upper,
      }
    })
  })
}
