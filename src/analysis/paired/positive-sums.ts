/**
 * Returns the probability of each sum of the numbers with a positive sign, if all sign patterns are equally likely; the index
 * is the sum. `sizes` are whole numbers above 0. Adds one number after the other (Pagano and Tritchler 1983). With the ranks
 * 1 to n it is the distribution of the signed-rank statistic (R: dsignrank).
 */
export function positiveSums(sizes: readonly number[]): Float64Array {
  const share = new Float64Array(sizes.reduce((sum, size) => sum + size, 0) + 1)
  share[0] = 1
  let reach = 0
  for (const size of sizes) {
    reach += size
    for (let sum = reach; sum >= size; sum--)
      share[sum] = ((share[sum] as number) + (share[sum - size] as number)) / 2
    for (let sum = size - 1; sum >= 0; sum--) share[sum] = (share[sum] as number) / 2
  }
  return share
}

/** Returns the sum of the shares from one index to another, both included. */
export function shareBetween(shares: Float64Array, from: number, to: number): number {
  let sum = 0
  for (let index = from; index <= to; index++) sum += shares[index] as number
  return sum
}
