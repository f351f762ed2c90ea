/** A ratio with its limits; null where unknown, or where a side has no limit. */
interface LimitedRatio {
  ratio: number | null
  lower: number | null
  upper: number | null
}

/** Formats a ratio with its limits, rounded outward: `2.2x [1.7, 2.9]`, `0.46x [0.31, 0.70]`; a side without a limit is `no limit`. */
export function ratioText({ ratio, lower, upper }: LimitedRatio): string {
  if (ratio === null) return 'unknown'
  const decimals = decimalsOf([ratio, lower, upper])
  const centre = `${shown(ratio, Math.round, decimals)}x`
  if (lower === null && upper === null) return centre
  const limit = (value: number | null, round: Rounding) =>
    value === null ? 'no limit' : shown(value, round, decimals)
  return `${centre} [${limit(lower, Math.floor)}, ${limit(upper, Math.ceil)}]`
}

type Rounding = (value: number) => number

function shown(value: number, round: Rounding, decimals: number): string {
  const places = value >= 100 ? 0 : value >= 10 ? Math.min(1, decimals) : decimals
  const factor = 10 ** places
  // Twelve digits of the product: 0.57 * 100 is slightly below 57, and floor would go one step too far.
  return (round(Number((value * factor).toPrecision(12))) / factor).toFixed(places)
}

/** Returns the decimals of ratios: more below 1, and where one would be rounded to 1 or to 0. */
function decimalsOf(ratios: readonly (number | null)[]): number {
  const known = ratios.filter((value) => value !== null)
  const isNear = (distance: number) => known.some((value) => value !== 1 && Math.abs(value - 1) < distance)
  if (known.some((value) => value > 0 && value < 0.1) || isNear(0.01)) return 3
  return known.some((value) => value < 1) || isNear(0.1) ? 2 : 1
}
