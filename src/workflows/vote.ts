/** One vote for what some work does. */
export interface Ballot {
  /** A text that is equal for work that does the same: `behaviourOf(…).does`. */
  does: string
  /** Whether the work passes the visible checks. */
  passes: boolean
  /** 1 for an ordinary vote. */
  weight: number
}

/** How far the voters agree. */
export interface Agreement {
  /** Number of ballots. */
  voted: number
  /** Sizes of the groups of equal ballots, largest first. */
  classes: number[]
  /** The winning group's share of all weight. */
  share: number
  /** Share of pairs of ballots that are equal: Fleiss (1971), equation 2, for one subject. 1 if there is no pair. */
  pairs: number
}

/**
 * Returns the index of the ballot that wins, and how far the ballots agree. Work that passes the visible checks wins over work
 * that does not; then the group with the most weight, the earlier one among equals; within it the heaviest ballot, then the
 * first.
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
