import type { Interval } from '../../analysis/tasks/interval.ts'
import { formatP } from '../comparison/result-text.ts'
import { formatShare } from '../words/numbers.ts'

/** Formats a p-value without its leading zero: `.019`, `<.001`. */
export const shortP = (p: number): string => (p > 0.9994 ? '1.00' : formatP(p)).replace(/^(<?) ?0\./, '$1.')

/** Formats points with their sign and limits, rounded outward: `+26 [+17, +34]`. Below one point they have a decimal. */
export function pointsText({ estimate, lower, upper }: Interval): string {
  if (estimate === null) return 'unknown'
  const centre = signed(100 * estimate, Math.round)
  return lower === null || upper === null ? centre : `${centre} ${limitsText({ lower, upper })}`
}

/** Formats the limits of points: `[+17, +34]`. */
export const limitsText = ({ lower, upper }: { lower: number; upper: number }): string =>
  `[${signed(100 * lower, Math.floor)}, ${signed(100 * upper, Math.ceil)}]`

/** Formats the limits of points as words: `-1 to +18 points`. */
export const rangeText = ({ lower, upper }: { lower: number; upper: number }): string =>
  `${signed(100 * lower, Math.floor)} to ${signed(100 * upper, Math.ceil)} points`

/** Formats a share in percent with whole limits for a column of percent: `72.7 [65, 79]`. */
export const percentText = (share: Interval): string => percentOf(share, '')

/** Formats a share in whole percent: `73 [65, 79]`; only 0 is `0`, and only 1 is `100`. */
export function wholePercentText(share: Interval): string {
  const { estimate } = share
  if (estimate === null) return 'unknown'
  const whole = Math.round(100 * estimate)
  const shown = estimate > 0 && whole === 0 ? 1 : estimate < 1 && whole === 100 ? 99 : whole
  return percentText(share).replace(/^\S+/, String(shown))
}

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

// A limit that is rounded to 0 would hide on which side of 0 it is.
function signed(points: number, round: (value: number) => number): string {
  const factor = Math.abs(points) < 1 ? 10 : 1
  // Ten digits absorb floating-point error, so that a limit is not rounded one step too far.
  const rounded = round(Number((points * factor).toPrecision(10))) / factor
  const text = rounded.toFixed(Number.isInteger(rounded) ? 0 : 1)
  return rounded > 0 ? `+${text}` : Number(text) === 0 ? '0' : text
}
