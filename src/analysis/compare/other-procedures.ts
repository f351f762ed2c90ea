import { cochranQTest, friedmanTest } from '../families/friedman-test.ts'
import { fewestTasks } from '../paired/difference-claim.ts'
import { cliffsDelta } from '../paired/effect-sizes.ts'
import { differences } from '../paired/task-difference.ts'
import { hodgesLehmann, wilcoxonSignedRank } from '../paired/wilcoxon-signed-rank.ts'
import { logRatioInterval } from '../ratios/ratio.ts'
import { bootstrapMean, bootstrapRatio, type Resampling } from '../resampling/bootstrap.ts'
import { jeffreysInterval } from '../tasks/interval.ts'
import { clusteredStandardError } from '../tasks/mean-interval.ts'
import { pairedMeans, type TaskValue, taskMeans } from '../tasks/task-value.ts'
import type { MethodSensitivity, Omnibus, Outcome, PairSensitivity, Spent } from './comparison.ts'
import { hasSingleTrials } from './outcome-difference.ts'
import type { MethodTasks } from './rows.ts'

/** Computes the success of one method by other procedures. */
export function methodSensitivity(success: readonly TaskValue[], confidence: number): MethodSensitivity {
  const means = taskMeans(success)
  const passed = means.filter((value) => value === 1).length
  return {
    jeffreys: hasSingleTrials(success, success) ? jeffreysInterval(passed, means.length, confidence) : null,
    overTrials: clusteredStandardError(success),
  }
}

export function pairSensitivity(
  a: MethodTasks,
  b: MethodTasks,
  { outcome, ...resampling }: Resampling & { outcome: Outcome },
): PairSensitivity {
  const { confidence } = resampling
  const means = pairedMeans(a.values[outcome], b.values[outcome])
  // Sorted by value, so that the draws of a bootstrap do not depend on task names.
  const values = [...differences(means.a, means.b)].sort((x, y) => x - y)
  const spent = (of: Spent) => {
    const known = pairedMeans(a.values[of], b.values[of])
    const pairs = known.a.map((x, task) => [x, known.b[task] as number] as const)
    pairs.sort((one, other) => one[0] - other[0] || one[1] - other[1])
    const [x, y] = [pairs.map(([value]) => value), pairs.map(([, value]) => value)]
    return { logRatio: logRatioInterval(x, y, confidence), bootstrap: bootstrapRatio(x, y, resampling) }
  }
  return {
    bootstrap: bootstrapMean(values, resampling),
    pseudomedian: hodgesLehmann(values, confidence),
    wilcoxon: values.length < fewestTasks ? null : wilcoxonSignedRank(values),
    cliffsDelta: cliffsDelta(means.a, means.b).delta,
    spent: { tokens: spent('tokens'), costUsd: spent('costUsd'), durationMs: spent('durationMs') },
  }
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
