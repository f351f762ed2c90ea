import type { Comparison, PairComparison } from '../../../analysis/compare/comparison.ts'
import { formatShare } from '../../words/numbers.ts'
import { pairName } from '../pair-columns.ts'

/** More pairs than this are counted instead of named. */
const mostNamed = 3

/** Returns whether more tasks or more epochs would help, for pairs that have several epochs. */
export function planningNotes({ pairs }: Comparison): string[] {
  const of = (advice: 'tasks' | 'epochs', end: string) => {
    const found = pairs.filter(
      ({ planning, outcome }) =>
        planning.advice === advice && planning.withinShare !== null && outcome.separated !== 0,
    )
    return found.length === 0
      ? []
      : [
          `Noise within tasks is ${sharesText(found, pairs.length)} of the variance of task differences: ${end}.`,
        ]
  }
  return [...of('epochs', 'so more epochs also help'), ...of('tasks', 'more tasks help, more epochs hardly')]
}

function sharesText(found: readonly PairComparison[], all: number): string {
  const shares = found.map(({ planning }) => planning.withinShare as number)
  if (all === 1) return `${formatShare(shares[0] as number)}%`
  if (found.length <= mostNamed)
    return found.map((pair, i) => `${formatShare(shares[i] as number)}% (${pairName(pair)})`).join(', ')
  const [low, high] = [Math.min(...shares), Math.max(...shares)]
  return `${formatShare(low)} to ${formatShare(high)}% (${found.length} of ${all} pairs)`
}
