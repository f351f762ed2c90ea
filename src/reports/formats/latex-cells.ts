import type { Refusal } from '../../analysis/refusal.ts'
import type { Interval } from '../../analysis/tasks/interval.ts'
import { formatRefusal } from '../comparison/result-text.ts'
import { formatUsd, nothing, unknown } from '../words/numbers.ts'

type Limits = Pick<Interval, 'lower' | 'upper'>

/** Formats a share as percent, or `otherwise` if it is unknown. */
export function percent(share: number | null, otherwise = unknown, decimals = 1): string {
  return share === null ? otherwise : withoutMinusZero((100 * share).toFixed(decimals))
}

/** Formats a ratio with two decimals, or the reason why it is missing. */
export const ratioText = (ratio: number | null, refusal: Refusal | null): string =>
  ratio === null ? formatRefusal(refusal) : ratio.toFixed(2)

/** Formats limits times `scale`, rounded outward: `[-29.4, 6.1]`; without limits the reason. */
export function limitsText(
  { lower, upper }: Limits,
  { scale, decimals, refusal = null }: { scale: number; decimals: number; refusal?: Refusal | null },
): string {
  if (lower === null && upper === null) return refusal ? formatRefusal(refusal) : nothing
  const factor = 10 ** decimals
  // The slack absorbs floating-point error, so that a limit is not rounded one step too far.
  const side = (value: number | null, round: (value: number) => number, slack: number) =>
    value === null
      ? 'no limit'
      : withoutMinusZero((round(scale * value * factor + slack) / factor).toFixed(decimals))
  return `[${side(lower, Math.floor, 1e-9)}, ${side(upper, Math.ceil, -1e-9)}]`
}

const withoutMinusZero = (text: string) => text.replace(/^-(0(?:\.0+)?)$/, '$1')

/**
 * Returns a function that formats the dollars of one column, without the sign. All have the same decimals, so that they are
 * aligned: the smallest has three digits. Amounts that differ a thousandfold have three digits each.
 */
export function dollarFormat(values: readonly (number | null)[]): DollarFormat {
  const own = values.flatMap((value) => (value === null || value === 0 ? [] : [decimalsOf(value)]))
  const [most, least] = [Math.max(...own), Math.min(...own)]
  const decimals = most - least > 2 ? null : most
  return (value, round = Math.round) =>
    own.length === 0 || decimals === null
      ? formatUsd(value, round).slice(1)
      : formatFixed(value, decimals, round)
}

/** Formats dollars; limits round outward by Math.floor and Math.ceil. */
type DollarFormat = (value: number, round?: (value: number) => number) => string

const decimalsOf = (value: number) => formatUsd(value).split('.')[1]?.length ?? 0

function formatFixed(value: number, decimals: number, round: (value: number) => number): string {
  // Twelve digits of the product: 0.57 * 1000 is slightly below 570, and floor would go one step too far.
  const rounded = round(Number((value * 10 ** decimals).toPrecision(12))) / 10 ** decimals
  return rounded.toFixed(decimals).replace(/\B(?=(\d{3})+(?=\.|$))(?<!\..*)/g, ',')
}

/** Formats limits in dollars, rounded outward. */
export function dollarLimits({ lower, upper }: Limits, format: DollarFormat): string {
  if (lower === null && upper === null) return nothing
  const side = (value: number | null, round: (value: number) => number) =>
    value === null ? 'no limit' : format(value, round)
  return `[${side(lower, Math.floor)}, ${side(upper, Math.ceil)}]`
}
