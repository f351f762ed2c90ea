import { mean } from '../numeric/moments.ts'

/** Mean of x over mean of y; null of nothing and where the mean of y is 0. */
export function ratioOfMeans(x: readonly number[], y: readonly number[]): number | null {
  const [above, below] = [mean(x), mean(y)]
  return above === null || below === null || below === 0 ? null : above / below
}
