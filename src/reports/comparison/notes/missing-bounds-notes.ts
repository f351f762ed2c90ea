import type { Comparison } from '../../../analysis/compare/comparison.ts'
import { formatSigned } from '../../words/numbers.ts'
import { pairName } from '../pair-columns.ts'

/** Returns a note for each pair on what its missing trials could change. */
export function missingBoundsNotes({ pairs }: Comparison): string[] {
  return pairs.flatMap((pair) => {
    const { missing } = pair.outcome
    if (missing === null || missing.low === null || missing.high === null) return []
    const [low, high] = [missing.low, missing.high].map((bound) => formatSigned(100 * bound))
    const decides = missing.decides ? ', so even its sign is unknown' : ''
    const outside = missing.excludesEstimate
      ? '. The estimate is outside of that, because it is over the tasks that both have; trust the bounds'
      : ''
    return [
      `${pairName(pair)}: over all tasks, with the missing trials, the difference may be anything from ${low} to ${high} points${decides}${outside}.`,
    ]
  })
}
