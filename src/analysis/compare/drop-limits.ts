import type { Interval } from '../tasks/interval.ts'
import type { ComparedPair, MethodEstimates, Spent, SpentEstimate } from './comparison.ts'
import type { SpentDifference } from './pair-results.ts'
import type { PropertyRow, SpendingByProperty } from './property-results.ts'

const spents: readonly Spent[] = ['tokens', 'costUsd', 'durationMs']

/** Returns the estimate without limits: an interval for a fixed number of tasks is wrong after a look at results. */
export function dropLimits<T extends Pick<Interval, 'lower' | 'upper'>>(interval: T): T {
  return { ...interval, lower: null, upper: null }
}

/** Returns a method's estimates without limits. */
export function dropMethodLimits(method: MethodEstimates): MethodEstimates {
  const spent = ({ mean, typical, largest }: SpentEstimate): SpentEstimate => ({
    mean: dropLimits(mean),
    typical: dropLimits(typical),
    largest,
  })
  const { reliability } = method
  return {
    ...method,
    success: { ...dropLimits(method.success), interval: null },
    score: dropLimits(method.score),
    spent: bySpent((of) => spent(method.spent[of])),
    costPerSuccess: dropLimits(method.costPerSuccess),
    reliability: reliability && {
      k: reliability.k,
      some: { ...dropLimits(reliability.some), interval: null },
      all: { ...dropLimits(reliability.all), interval: null },
    },
  }
}

/** Returns a pair's estimates without limits, and without claims that need a fixed number of tasks. */
export function dropPairLimits(pair: ComparedPair): ComparedPair {
  const spent = (difference: SpentDifference): SpentDifference => ({
    ...difference,
    ratio: dropLimits(difference.ratio),
    saved: dropLimits(difference.saved),
    typical: dropLimits(difference.typical),
    median: dropLimits(difference.median),
    success: dropLimits(difference.success),
    atEqualSuccess: null,
  })
  return {
    ...pair,
    outcome: { ...dropLimits(pair.outcome), interval: null },
    spent: bySpent((of) => spent(pair.spent[of])),
    costPerSuccess: dropLimits(pair.costPerSuccess),
    planning: { ...pair.planning, mde: null, mdeInFamily: null },
  }
}

/** Returns how a difference varies with a property, without limits. */
export function dropPropertyLimits(row: PropertyRow): PropertyRow {
  const spent = ({ lower, higher, change }: SpendingByProperty): SpendingByProperty => ({
    lower: dropLimits(lower),
    higher: dropLimits(higher),
    change: dropLimits(change),
  })
  return {
    ...row,
    lower: dropLimits(row.lower),
    higher: dropLimits(row.higher),
    change: dropLimits(row.change),
    spent: { tokens: spent(row.spent.tokens), costUsd: spent(row.spent.costUsd) },
  }
}

function bySpent<Value>(of: (spent: Spent) => Value): Record<Spent, Value> {
  return Object.fromEntries(spents.map((spent) => [spent, of(spent)])) as Record<Spent, Value>
}
