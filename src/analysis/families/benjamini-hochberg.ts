import { knownAscending } from './holm.ts'

/**
 * Adjusts p-values so that the expected share of false rejections stays at its level (Benjamini and Hochberg 1995; R:
 * p.adjust): for exploration, not for claims. A null p stays null and is not counted.
 */
export function benjaminiHochbergAdjust(p: readonly (number | null)[]): (number | null)[] {
  const order = knownAscending(p)
  const adjusted: (number | null)[] = p.map(() => null)
  let least = 1
  for (const [place, { value, index }] of [...order.entries()].reverse()) {
    least = Math.min(least, (order.length / (place + 1)) * value)
    adjusted[index] = least
  }
  return adjusted
}
