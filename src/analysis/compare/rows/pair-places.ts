import type { PlacePair } from '../../paired/pair-flips.ts'

/**
 * Returns the pairs of a family as indexes of rows: each pair once, A before B as in the list, except that the baseline is
 * always B. With several sets of agents a pair differs in one thing: two methods with the same set, or one method with two
 * sets. The family against the baseline has no pair of the latter kind.
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

/** Returns the number of pairs of such a family, from the numbers of methods and of sets of agents. */
export function pairCount(family: 'all-pairs' | 'baseline', methods: number, sets: number): number {
  const two = (many: number) => (many * (many - 1)) / 2
  return family === 'baseline' ? sets * Math.max(0, methods - 1) : sets * two(methods) + methods * two(sets)
}
