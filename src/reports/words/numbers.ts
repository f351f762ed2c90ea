import { toAmount } from '../../analysis/dollar-total.ts'
import type { Amount } from '../../analysis/summary.ts'

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

/** Formats a share as percent with one decimal; only 0 is `0.0`, and only 1 is `100.0`. */
export function formatShare(share: number): string {
  const percent = Number((100 * share).toFixed(1))
  if (share > 0 && percent === 0) return '0.1'
  if (share < 1 && percent === 100) return '99.9'
  return percent.toFixed(1)
}

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
