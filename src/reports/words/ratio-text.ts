import type { Ratio } from '../../analysis/ratios/ratio.ts'

/** Formats a ratio: `2.2x`, `0.84x`, `12x`. */
export const ratioText = (ratio: number): string =>
  `${ratioNumber(ratio, Math.round, ratioDecimals([ratio]))}x`

/** Formats a ratio with its limits, rounded outward: `1.4x [1.2, 1.8]`; a missing limit is `no limit`. */
export function ratioRange({ ratio, lower, upper }: Ratio): string {
  if (ratio === null) return 'unknown'
  if (lower === null && upper === null) return ratioText(ratio)
  if (isUseless(lower, upper)) return `${ratioText(ratio)} (no useful limits)`
  const decimals = ratioDecimals([ratio, lower, upper])
  const limit = (value: number | null, round: Rounding) =>
    value === null ? 'no limit' : ratioNumber(value, round, decimals)
  return `${ratioNumber(ratio, Math.round, decimals)}x [${limit(lower, Math.floor)}, ${limit(upper, Math.ceil)}]`
}

/** Limits that lie further apart say nothing that a reader can use. */
const furthest = 1000

/** Whether limits of a positive number are so far apart, or so open, that nobody can use them. */
export function isUseless(lower: number | null, upper: number | null): boolean {
  if (lower === null || upper === null) return (lower ?? 1) <= 0.0005 && upper === null
  return lower > 0 ? upper / lower > furthest : upper > furthest
}

type Rounding = (value: number) => number

function ratioNumber(value: number, round: Rounding, decimals: number): string {
  const small = value > 0 && value < 0.1 ? Math.min(6, 1 - Math.floor(Math.log10(value))) : 0
  const places = value >= 10 ? 0 : Math.max(decimals, small)
  const factor = 10 ** places
  // Twelve digits of the product: 0.57 * 100 is slightly below 57, and floor would go one step too far.
  const text = (round(Number((value * factor).toPrecision(12))) / factor).toFixed(places)
  return value < 1000 ? text : text.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Returns the decimals of ratios: more below 1, and where one would be rounded to 1. */
function ratioDecimals(ratios: readonly (number | null)[]): number {
  const known = ratios.filter((value) => value !== null)
  const isNear = (distance: number) => known.some((value) => value !== 1 && Math.abs(value - 1) < distance)
  if (isNear(0.01)) return 3
  return known.some((value) => value < 1) || isNear(0.1) ? 2 : 1
}
