import { mean } from '../numeric/moments.ts'

/** Returns the mean of x over the mean of y; null for empty lists and if the mean of y is 0. */
export function ratioOfMeans(x: readonly number[], y: readonly number[]): number | null {
  const [above, below] = [mean(x), mean(y)]
  return above === null || below === null || below === 0 ? null : above / below
}
