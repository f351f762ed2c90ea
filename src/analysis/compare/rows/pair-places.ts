import type { PlacePair } from '../../resampling/pair-flips.ts'

/**
 * The pairs of a family as places in the list of rows: each pair once, A before B as in the list, but for the baseline,
 * which is always B. Where a run has several sets of agents, a pair differs in one thing: two methods with the same set,
 * or one method with two sets, which is no pair of the family against the baseline.
 */
export function pairPlaces(
  rows: readonly { method: string; set?: string | null }[],
  family: 'all-pairs' | 'baseline',
  baseline: string | null,
): PlacePair[] {
  const isBase = (place: number) => rows[place]?.method === baseline
  const differInOne = ([a, b]: PlacePair) =>
    rows[a]?.set === rows[b]?.set || rows[a]?.method === rows[b]?.method
  return rows
    .flatMap((_, a) => rows.slice(a + 1).map((_, next): PlacePair => [a, a + 1 + next]))
    .filter(differInOne)
    .map(([a, b]): PlacePair => (isBase(a) && !isBase(b) ? [b, a] : [a, b]))
    .filter(([a, b]) => family === 'all-pairs' || (isBase(b) && !isBase(a)))
}

/** How many pairs such a family has, by the numbers of methods and of sets of agents. */
export function pairCount(family: 'all-pairs' | 'baseline', methods: number, sets: number): number {
  const two = (many: number) => (many * (many - 1)) / 2
  return family === 'baseline' ? sets * Math.max(0, methods - 1) : sets * two(methods) + methods * two(sets)
}
