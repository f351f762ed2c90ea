/**
 * Adjusts p-values so that the chance of any false rejection in the family stays at its level (Holm 1979; R: p.adjust). A
 * null p stays null and is not counted.
 */
export function holmAdjust(p: readonly (number | null)[]): (number | null)[] {
  const order = knownAscending(p)
  const adjusted: (number | null)[] = p.map(() => null)
  let most = 0
  for (const [place, { value, index }] of order.entries()) {
    most = Math.max(most, Math.min(1, (order.length - place) * value))
    adjusted[index] = most
  }
  return adjusted
}

function knownAscending(p: readonly (number | null)[]): { value: number; index: number }[] {
  return p
    .flatMap((value, index) => (value === null ? [] : [{ value, index }]))
    .sort((a, b) => a.value - b.value)
}

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
