/** Splits `cents` in proportion to `weights`; the shares add up exactly. */
export function splitMoney(cents, weights) {
  if (!Number.isSafeInteger(cents)) throw new RangeError('cents must be a whole number')
  if (!Array.isArray(weights) || !weights.every((weight) => Number.isInteger(weight) && weight >= 0)) {
    throw new RangeError('weights must be whole numbers of at least 0')
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) throw new RangeError('at least one weight must be above 0')

  const amount = Math.abs(cents)
  const shares = weights.map((weight) => Math.floor((amount * weight) / total))
  const left = amount - shares.reduce((sum, share) => sum + share, 0)

  const lost = weights.map((weight, index) => ({ index, rest: (amount * weight) % total }))
  lost.sort((a, b) => b.rest - a.rest || a.index - b.index)
  for (const { index } of lost.slice(0, left)) shares[index] += 1

  return shares.map((share) => (cents < 0 && share > 0 ? -share : share))
}
