import type { StopRule } from '../../schema/run/comparison-plan.ts'
import type { PlacePair } from '../paired/pair-flips.ts'
import { differences } from '../paired/task-difference.ts'
import { pairedMeans } from '../tasks/task-value.ts'
import type { ComparedPair, Outcome, PairComparison, SuiteRow } from './comparison.ts'
import { intervalMismatch } from './pairs/interval-mismatch.ts'
import { pairWarnings } from './pairs/pair-warnings.ts'
import type { MethodTasks } from './rows/method-tasks.ts'
import { suiteAgreement } from './suite-agreement.ts'

/** What explains the pairs of a comparison. */
interface Explanation {
  tasks: readonly string[]
  suites: ReadonlyMap<string, string>
  rows: readonly SuiteRow[]
  outcome: Outcome
  confidence: number
  margin: number | null
  sequence: StopRule['sequence'] | null
  /** False: intervals for a fixed number of tasks are void. */
  limits: boolean
}

/** Adds to each pair, after its limits and its word are final, what a reader must know to read them. */
export function explainPairs(
  pairs: readonly ComparedPair[],
  methods: readonly MethodTasks[],
  places: readonly PlacePair[],
  explanation: Explanation,
): PairComparison[] {
  const { tasks, suites, rows, outcome, margin, sequence } = explanation
  const names = [...new Set(tasks.map((task) => suites.get(task) ?? ''))]
  return pairs.map((pair, index) => {
    const [a, b] = (places[index] as PlacePair).map(
      (place) => (methods[place] as MethodTasks).values[outcome],
    )
    const over = (within: readonly number[]) => {
      const of = (values: typeof a) =>
        within.map((task) => (values as NonNullable<typeof a>)[task] as NonNullable<typeof a>[number])
      const means = pairedMeans(of(a), of(b))
      return differences(means.a, means.b)
    }
    const all = [...tasks.keys()]
    const bySuite = names.map((suite) =>
      over(all.filter((task) => suites.get(tasks[task] as string) === suite)),
    )
    return {
      ...pair,
      mismatch: intervalMismatch(pair, margin),
      warnings: pairWarnings(over(all), pair.outcome.interval, sequence),
      suites: suiteAgreement(pair, rows, bySuite, explanation),
    }
  })
}
