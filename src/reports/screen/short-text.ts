import type { Ratio } from '../../analysis/ratios/ratio.ts'
import type { Interval } from '../../analysis/tasks/interval.ts'
import { formatP } from '../comparison/result-text.ts'
import { formatShare } from '../words/numbers.ts'

/** Formats a p-value without its leading zero: `.019`, `<.001`. */
export const shortP = (p: number): string => formatP(p).replace(/^(<?) ?0\./, '$1.')

/** Formats a ratio: `2.2x`, `0.84x`, `12x`. */
export const ratioText = (ratio: number): string =>
  `${ratioNumber(ratio, Math.round, ratioDecimals([ratio]))}x`

/** Formats a ratio with its limits, rounded outward: `1.4x [1.2, 1.8]`; a missing limit is `no limit`. */
export function ratioRange({ ratio, lower, upper }: Ratio): string {
  if (ratio === null) return 'unknown'
  if (lower === null && upper === null) return ratioText(ratio)
  const decimals = ratioDecimals([ratio, lower, upper])
  const limit = (value: number | null, round: Rounding) =>
    value === null ? 'no limit' : ratioNumber(value, round, decimals)
  return `${ratioNumber(ratio, Math.round, decimals)}x [${limit(lower, Math.floor)}, ${limit(upper, Math.ceil)}]`
}

type Rounding = (value: number) => number

function ratioNumber(value: number, round: Rounding, decimals: number): string {
  const places = value >= 10 ? 0 : decimals
  const factor = 10 ** places
  // Twelve digits of the product: 0.57 * 100 is slightly below 57, and floor would go one step too far.
  return (round(Number((value * factor).toPrecision(12))) / factor).toFixed(places)
}

/** Returns the decimals of ratios: more below 1, and where one would be rounded to 1. */
function ratioDecimals(ratios: readonly (number | null)[]): number {
  const known = ratios.filter((value) => value !== null)
  const isNear = (distance: number) => known.some((value) => value !== 1 && Math.abs(value - 1) < distance)
  if (known.some((value) => value > 0 && value < 0.1) || isNear(0.01)) return 3
  return known.some((value) => value < 1) || isNear(0.1) ? 2 : 1
}

/** Returns the decimals that show a difference in points: one if a limit would be rounded to 0, else none. */
export function pointDecimals(differences: readonly Interval[]): 0 | 1 {
  const small = (value: number | null) => value !== null && value !== 0 && Math.abs(100 * value) < 1
  return differences.some(({ estimate, lower, upper }) => small(estimate) || small(lower) || small(upper))
    ? 1
    : 0
}

/** Formats points with their sign and limits, rounded outward: `+26 [+17, +34]`. */
export function pointsText({ estimate, lower, upper }: Interval, decimals: 0 | 1): string {
  if (estimate === null) return 'unknown'
  const centre = signed(100 * estimate, decimals)
  return lower === null || upper === null ? centre : `${centre} ${limitsText({ lower, upper }, decimals)}`
}

/** Formats the limits of points: `[+17, +34]`. */
export function limitsText({ lower, upper }: { lower: number; upper: number }, decimals: 0 | 1): string {
  const [low, high] = outward({ lower, upper }, decimals)
  return `[${signed(low, decimals)}, ${signed(high, decimals)}]`
}

/** Formats the limits of points as words: `-1 to +18 points`. */
export function rangeText({ lower, upper }: { lower: number; upper: number }): string {
  const decimals = pointDecimals([{ estimate: null, lower, upper }])
  const [low, high] = outward({ lower, upper }, decimals)
  return `${signed(low, decimals)} to ${signed(high, decimals)} points`
}

/** Formats a share in percent with whole limits for a column of percent: `72.7 [65, 79]`. */
export const percentText = (share: Interval): string => percentOf(share, '')

/** Formats a share in percent with whole limits for a sentence: `72.7% [65, 79]`. */
export const shareText = (share: Interval): string => percentOf(share, '%')

function percentOf({ estimate, lower, upper }: Interval, sign: string): string {
  if (estimate === null) return 'unknown'
  const centre = `${formatShare(estimate)}${sign}`
  if (lower === null || upper === null) return centre
  return `${centre} [${outwardPercent(lower, Math.floor)}, ${outwardPercent(upper, Math.ceil)}]`
}

// The slack absorbs floating-point error, so that a limit is not rounded one step too far.
const outwardPercent = (share: number, round: (value: number) => number): string =>
  String(Math.abs(round(100 * share + (round === Math.floor ? 1e-9 : -1e-9))))

function outward({ lower, upper }: { lower: number; upper: number }, decimals: 0 | 1): [number, number] {
  const factor = 10 ** decimals
  return [Math.floor(100 * lower * factor + 1e-9) / factor, Math.ceil(100 * upper * factor - 1e-9) / factor]
}

function signed(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  if (Number(text) === 0) return (0).toFixed(decimals)
  return value > 0 ? `+${text}` : text
}
