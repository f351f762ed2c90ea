import { seededRandom } from '../../base/random.ts'
import { cochranQTest, friedmanTest } from '../families/friedman-test.ts'
import { fewestTasks } from '../paired/difference-claim.ts'
import { cliffsDelta } from '../paired/effect-sizes.ts'
import { drawTogether, type PlacePair } from '../paired/pair-flips.ts'
import { differences } from '../paired/task-difference.ts'
import { averagesOutside, hodgesLehmann, wilcoxonSignedRank } from '../paired/wilcoxon-signed-rank.ts'
import { logRatioInterval } from '../ratios/ratio.ts'
import { bootstrapMean, bootstrapRatio, replicateMeans, subtractReplicates } from '../resampling/bootstrap.ts'
import { jeffreysInterval } from '../tasks/interval.ts'
import { clusteredStandardError } from '../tasks/mean-interval.ts'
import { type TaskValue, taskMeans } from '../tasks/task-value.ts'
import type { MethodSensitivity, Omnibus, Outcome, PairSensitivity, Spent } from './comparison.ts'
import { hasSingleTrials } from './outcome-difference.ts'
import type { MethodTasks } from './rows.ts'

interface SensitivityOptions {
  outcome: Outcome
  confidence: number
  /** Resamples of tasks. */
  resamples: number
  seed: number
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

/** Computes the differences of pairs by other procedures. All pairs with the same tasks share the draws of a bootstrap. */
export function pairSensitivities(
  methods: readonly MethodTasks[],
  places: readonly PlacePair[],
  { outcome, confidence, resamples, seed }: SensitivityOptions,
): PairSensitivity[] {
  const drawn = (of: Outcome | Spent) =>
    drawTogether(
      sortTasks(methods.map(({ values }) => values[of].map(({ mean }) => mean))),
      places,
      (columns) => replicateMeans(columns, resamples, seededRandom(`bootstrap/${seed}`)),
    )
  const ofOutcome = drawn(outcome)
  const spent = (of: Spent) =>
    drawn(of).map(({ a, b, ours, theirs }) => ({
      logRatio: logRatioInterval(a, b, confidence),
      bootstrap: bootstrapRatio(ours, theirs, confidence),
    }))
  const [tokens, costUsd, durationMs] = [spent('tokens'), spent('costUsd'), spent('durationMs')]
  const outside = new Map(
    [...new Set(ofOutcome.map(({ a }) => a.length))].map((n) => [n, averagesOutside(n, confidence)]),
  )
  return ofOutcome.map(({ a, b, ours, theirs }, index) => {
    const values = differences(a, b)
    const at = <One>(list: readonly One[]) => list[index] as One
    return {
      bootstrap: bootstrapMean(values, subtractReplicates(ours, theirs), confidence),
      pseudomedian: hodgesLehmann(values, confidence, outside.get(a.length)),
      wilcoxon: values.length < fewestTasks ? null : wilcoxonSignedRank(values),
      cliffsDelta: cliffsDelta(a, b).delta,
      spent: { tokens: at(tokens), costUsd: at(costUsd), durationMs: at(durationMs) },
    }
  })
}

/** Sorts tasks by their values, so that the draws of a bootstrap do not depend on the tasks' names. */
function sortTasks(columns: readonly (readonly (number | null)[])[]): (number | null)[][] {
  const compare = (one: number, other: number) => {
    for (const column of columns) {
      const difference = (column[one] ?? -1) - (column[other] ?? -1)
      if (difference !== 0) return difference
    }
    return 0
  }
  const order = [...(columns[0] ?? []).keys()].sort(compare)
  return columns.map((column) => order.map((task) => column[task] as number | null))
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
