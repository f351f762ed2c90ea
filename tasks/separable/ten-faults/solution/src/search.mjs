/** Returns the index of the first number in an ascending list that is not below `wanted`; the length of the list if all are below. */
export function lowerBound(numbers, wanted) {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (numbers[middle] < wanted) low = middle + 1
    else high = middle
  }
  return low
}
