import type { PlacePair } from '../resampling/pair-flips.ts'

/**
 * The pairs of a family as places in the list of methods: each pair once, A before B as in the list, but for the
 * baseline, which is always B.
 */
export function pairPlaces(
  methods: readonly { method: string }[],
  family: 'all-pairs' | 'baseline',
  baseline: string | null,
): PlacePair[] {
  const isBase = (place: number) => methods[place]?.method === baseline
  return methods
    .flatMap((_, a) => methods.slice(a + 1).map((_, next): PlacePair => [a, a + 1 + next]))
    .map(([a, b]): PlacePair => (isBase(a) && !isBase(b) ? [b, a] : [a, b]))
    .filter(([a, b]) => family === 'all-pairs' || (isBase(b) && !isBase(a)))
}
