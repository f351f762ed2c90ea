import type { Interval } from '../tasks/interval.ts'
import type { MethodEstimates, PairComparison, Spent, SpentDifference, SpentEstimate } from './comparison.ts'

const spents: readonly Spent[] = ['tokens', 'costUsd', 'durationMs']

/** The same without its limits: an interval for a fixed number of tasks is wrong after a look. */
export function estimateAlone<T extends Pick<Interval, 'lower' | 'upper'>>(interval: T): T {
  return { ...interval, lower: null, upper: null }
}

/** A method's estimates without any limits. */
export function methodWithoutLimits(method: MethodEstimates): MethodEstimates {
  const spent = ({ mean, typical, largest }: SpentEstimate): SpentEstimate => ({
    mean: estimateAlone(mean),
    typical: estimateAlone(typical),
    largest,
  })
  const { reliability } = method
  return {
    ...method,
    success: { ...estimateAlone(method.success), interval: null },
    score: estimateAlone(method.score),
    spent: bySpent((of) => spent(method.spent[of])),
    costPerSuccess: estimateAlone(method.costPerSuccess),
    reliability: reliability && {
      k: reliability.k,
      some: estimateAlone(reliability.some),
      all: estimateAlone(reliability.all),
    },
  }
}

/** A pair's estimates without any limits, and what only a fixed number of tasks could show. */
export function pairWithoutLimits(pair: PairComparison): PairComparison {
  const spent = (difference: SpentDifference): SpentDifference => ({
    ...difference,
    ratio: estimateAlone(difference.ratio),
    saved: estimateAlone(difference.saved),
    typical: estimateAlone(difference.typical),
    median: estimateAlone(difference.median),
    success: estimateAlone(difference.success),
    atEqualSuccess: null,
  })
  return {
    ...pair,
    outcome: { ...estimateAlone(pair.outcome), interval: null },
    spent: bySpent((of) => spent(pair.spent[of])),
    costPerSuccess: estimateAlone(pair.costPerSuccess),
    planning: { ...pair.planning, mde: null, mdeInFamily: null },
  }
}

function bySpent<Value>(of: (spent: Spent) => Value): Record<Spent, Value> {
  return Object.fromEntries(spents.map((spent) => [spent, of(spent)])) as Record<Spent, Value>
}
