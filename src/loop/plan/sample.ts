import { seededRandom, shuffled } from '../../base/random.ts'

/** How to draw a sample. */
interface Sampling<Item> {
  size: number
  seed: number
  /** The stratum of an item. Each stratum has its proportional share of the sample, rounded by largest remainder. */
  stratumOf(item: Item): string
}

/** Draws a seeded, stratified sample. It depends on the seed and on the items in their order, on nothing of the machine. */
export function drawSample<Item>(items: readonly Item[], { size, seed, stratumOf }: Sampling<Item>): Item[] {
  if (size >= items.length) return [...items]
  const members = new Map<string, Item[]>()
  for (const item of items) {
    const stratum = stratumOf(item)
    const others = members.get(stratum)
    if (others) others.push(item)
    else members.set(stratum, [item])
  }
  const strata = [...members].map(([stratum, all]) => {
    const share = (size * all.length) / items.length
    return {
      members: shuffled(all, seededRandom(`sample/${seed}/${stratum}`)),
      take: Math.floor(share),
      rest: share % 1,
    }
  })
  let left = size - strata.reduce((sum, { take }) => sum + take, 0)
  for (const stratum of [...strata].sort((a, b) => b.rest - a.rest)) if (left-- > 0) stratum.take++
  return strata.flatMap(({ members, take }) => members.slice(0, take))
}
