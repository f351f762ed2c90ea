/** One vote: for what some work does. */
export interface Ballot {
  /** Equal for work that does the same. */
  does: string
  /** It passes the visible checks. */
  passes: boolean
  weight: number
}

/** How far those that voted agree. */
interface Agreement {
  voted: number
  /** Votes for each way to do it, the most first. */
  classes: number[]
  /** Share of the votes that the winner's way has, by weight. */
  share: number
  /** Share of pairs that agree: Fleiss (1971), equation 2, for one subject. 1 where there is no pair. */
  pairs: number
}

/**
 * The place of the ballot that wins. Work that passes the visible checks comes before work that does not; then the way
 * with the most weight behind it, the one first in place where that is equal; of its ballots the weightiest, then the first.
 */
export function elect(ballots: readonly Ballot[]): { winner: number; agreement: Agreement } {
  const ways = new Map<string, { passes: boolean; weight: number; places: number[] }>()
  for (const [place, { does, passes, weight }] of ballots.entries()) {
    const way = ways.get(does)
    if (way) {
      way.weight += weight
      way.places.push(place)
    } else ways.set(does, { passes, weight, places: [place] })
  }
  const [best] = [...ways.values()].sort((a, b) => Number(b.passes) - Number(a.passes) || b.weight - a.weight)
  if (!best) throw new Error('elect() got no ballots')
  const weightOf = (place: number) => ballots[place]?.weight ?? 0
  const winner = best.places.reduce((first, place) => (weightOf(place) > weightOf(first) ? place : first))
  const counts = [...ways.values()].map(({ places }) => places.length)
  const voted = ballots.length
  const agreeing = counts.reduce((sum, count) => sum + count * (count - 1), 0)
  return {
    winner,
    agreement: {
      voted,
      classes: counts.sort((a, b) => b - a),
      share: best.weight / ballots.reduce((sum, { weight }) => sum + weight, 0),
      pairs: voted < 2 ? 1 : agreeing / (voted * (voted - 1)),
    },
  }
}
