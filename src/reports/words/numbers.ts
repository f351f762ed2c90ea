import type { Ratio } from '../../analysis/ratios/ratio.ts'
import type { Amount } from '../../analysis/summary.ts'
import { toAmount } from '../../analysis/tally.ts'

/** Returns the items that are there: `condition && item` leaves one out, and an empty text is none. */
export const present = <Item extends string | object>(
  items: readonly (Item | false | null | undefined | '')[],
): Item[] => items.filter((item): item is Item => Boolean(item))

/** Returns `A, B and C`. */
export const listed = (names: readonly string[]): string =>
  present([names.slice(0, -1).join(', '), names.at(-1)]).join(' and ')

/** Returns a text with a capital at its begin. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Text for an unknown value; never 0. */
export const unknown = 'unknown'
/** Text for a cell without a value. */
export const nothing = '-'

/** Formats a count: `12,345`, from a million on `15.10M`. */
export function formatCount(value: number): string {
  if (value >= 999_999.5) return `${(value / 1e6).toFixed(2)}M`
  const digits = value < 100 && !Number.isInteger(value) ? 1 : 0
  const [whole = '', rest] = value.toFixed(digits).split('.')
  return rest ? `${grouped(whole)}.${rest}` : grouped(whole)
}

/** Formats US dollars: `$10.02`, below a dollar three significant digits: `$0.0634`. Limits round outward by Math.floor and Math.ceil. */
export function formatUsd(value: number, round: (value: number) => number = Math.round): string {
  if (value === 0) return '$0'
  // No exponents, because small prices with exponents are hard to compare.
  const digits = value >= 0.995 ? 2 : Math.min(12, 2 - Math.floor(Math.log10(value)))
  // Twelve digits of the product: 0.57 * 1000 is slightly below 570, and floor would go one step too far.
  const rounded = round(Number((value * 10 ** digits).toPrecision(12))) / 10 ** digits
  const [whole = '', rest = ''] = rounded.toFixed(digits).split('.')
  return `$${grouped(whole)}.${rest}`
}

/** Formats milliseconds: `40.0 s`, `12.5 min`, `3.2 h`. */
export function formatMs(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 119.95) return `${seconds.toFixed(1)} s`
  const minutes = seconds / 60
  return minutes < 119.95 ? `${minutes.toFixed(1)} min` : `${(minutes / 60).toFixed(1)} h`
}

/** Formats milliseconds in a cell; a time that is unknown, as that of a recorded reply, is `–`. */
export const timeCell = (ms: number | null): string => (ms === null ? '–' : formatMs(ms))

/** The same in a list of what was spent: `40.0 s`, `time unknown`. */
export const timeText = (ms: number | null): string => (ms === null ? `time ${unknown}` : formatMs(ms))

/** Formats a share as percent with one decimal; only 0 is `0.0`, and only 1 is `100.0`. */
export function formatShare(share: number): string {
  const percent = Number((100 * share).toFixed(1))
  if (share > 0 && percent === 0) return '0.1'
  if (share < 1 && percent === 100) return '99.9'
  return percent.toFixed(1)
}

/** The same with its sign: `63.2%`. */
export const formatPercent = (share: number): string => `${formatShare(share)}%`

/** Formats how many of all, and their share: `12/48 (25.0%)`. */
export const formatPart = (count: number, of: number): string =>
  of === 0 ? nothing : `${formatCount(count)}/${formatCount(of)} (${formatPercent(count / of)})`

/** Formats an interval in percent, with limits rounded outward if there are any: `75.0 [55.1, 88.1]`. */
export function formatInterval(interval: {
  estimate: number | null
  lower: number | null
  upper: number | null
}): string {
  const { estimate, lower, upper } = interval
  if (estimate === null) return unknown
  if (lower === null || upper === null) return formatShare(estimate)
  // The slack absorbs floating-point error: 0.57 * 1000 is slightly below 570.
  const low = Math.floor(lower * 1000 + 1e-9) / 10
  const high = Math.ceil(upper * 1000 - 1e-9) / 10
  return `${formatShare(estimate)} [${low.toFixed(1)}, ${high.toFixed(1)}]`
}

/** Formats a signed number: `+4.2`, `-0.3`, `0.0`. */
export function formatSigned(value: number): string {
  const text = value.toFixed(1)
  if (Number(text) === 0) return '0.0'
  return value > 0 ? `+${text}` : text
}

/** Formats an amount: `>= x` for a lower bound, `unknown` for an unknown one. */
export function formatAmount(amount: Amount, format: (value: number) => string): string {
  if (amount.value === null) return unknown
  return `${amount.lowerBound ? '>= ' : ''}${format(amount.value)}`
}

/** Formats a sum of which `unreported` parts are unknown: `>= x`, and `unknown` if nothing is known. */
export function sumText(value: number, unreported: number, format: (value: number) => string): string {
  return formatAmount(toAmount(value, unreported > 0), format)
}

/** Formats the cost of calls, of which `unreported` have an unknown one: `cost unknown`, `>= $0.12`, `$0.12`. */
export function costText(costUsd: number | null, unreported: number): string {
  const text = costUsd === null ? unknown : sumText(costUsd, unreported, formatUsd)
  return text === unknown ? 'cost unknown' : text
}

/** Returns `1 task`, `3 tasks`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',')
}

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

function ratioDecimals(ratios: readonly (number | null)[]): number {
  const known = ratios.filter((value) => value !== null)
  const isNear = (distance: number) => known.some((value) => value !== 1 && Math.abs(value - 1) < distance)
  if (isNear(0.01)) return 3
  return known.some((value) => value < 1) || isNear(0.1) ? 2 : 1
}
