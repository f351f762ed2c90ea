/**
 * Shares out whole cents by weights. The shares add up to the sum; each is the exact share rounded down, and the cents that are
 * left go one by one to the shares that lost most by rounding, of equal losses to the first. The sum is not negative.
 */
export function shareOut(cents, weights) {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const exact = weights.map((weight) => (cents * weight) / total)
  const shares = exact.map(Math.floor)
  const left = cents - shares.reduce((sum, share) => sum + share, 0)
  const order = exact
    .map((value, at) => ({ at, lost: value - shares[at] }))
    .sort((a, b) => b.lost - a.lost || b.at - a.at)
  for (const { at } of order.slice(0, left)) shares[at]++
  return shares
}
