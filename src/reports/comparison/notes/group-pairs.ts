import type { PairComparison } from '../../../analysis/compare/comparison.ts'
import { pairName } from '../pair-columns.ts'

/** Returns one text per explanation with the names of its pairs: `A than B, C than B: …`. `detail` follows a name in brackets. */
export function groupPairs(
  pairs: readonly PairComparison[],
  explain: (pair: PairComparison) => string | null,
  detail: (pair: PairComparison) => string = () => '',
): string[] {
  const groups = new Map<string, string[]>()
  for (const pair of pairs) {
    const text = explain(pair)
    if (text === null) continue
    const more = detail(pair)
    groups.set(text, [...(groups.get(text) ?? []), `${pairName(pair)}${more ? ` (${more})` : ''}`])
  }
  return [...groups].map(([text, names]) => `${names.join(', ')}: ${text}`)
}
