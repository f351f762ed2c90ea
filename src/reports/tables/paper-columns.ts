import type { Refusal } from '../../analysis/refusal.ts'
import type { Interval } from '../../analysis/tasks/interval.ts'
import { formatUsd, nothing, unknown } from '../words/numbers.ts'
import { formatRefusal } from '../words/result-text.ts'

/** One column of a table in a paper. Names and words are left-aligned, numbers right-aligned. */
export interface PaperColumn<Row> {
  /** What `--columns` calls it; columns with one key are chosen together. */
  key: string
  heading: string
  unit: string
  kind: 'name' | 'words' | 'number'
  /** Left out of the default columns where the line is too short. */
  optional?: boolean
  cell(row: Row): string
}

type Limits = Pick<Interval, 'lower' | 'upper'>

/** Returns a column of numbers in a paper. */
export const paperNumber = <Row>(
  key: string,
  [heading, unit]: readonly [string, string],
  cell: (row: Row) => string,
  optional = false,
): PaperColumn<Row> => ({ key, heading, unit, kind: 'number', optional, cell })

/** Returns a column of names or words in a paper. */
export const paperWords = <Row>(
  key: string,
  heading: string,
  cell: (row: Row) => string,
  kind: 'name' | 'words' = 'words',
): PaperColumn<Row> => ({ key, heading, unit: '', kind, cell })

/** Returns two columns in a paper: an estimate times `scale`, and its limits under the heading `level`. */
export function paperEstimate<Row>(
  key: string,
  headings: readonly [heading: string, unit: string, level: string],
  of: (row: Row) => Interval | null,
  {
    scale = 100,
    decimals = () => 1,
    refusal = () => null,
    optional = [false, false],
  }: {
    scale?: number
    decimals?: (row: Row) => number
    /** Why the limits are missing. */
    refusal?: (row: Row) => Refusal | null
    optional?: readonly [estimate: boolean, limits: boolean]
  } = {},
): PaperColumn<Row>[] {
  const [heading, unit, level] = headings
  const estimate = (row: Row) => {
    const interval = of(row)
    if (interval === null) return nothing
    if (interval.estimate === null) return formatRefusal(refusal(row))
    return withoutMinusZero((scale * interval.estimate).toFixed(decimals(row)))
  }
  const limits = (row: Row) => {
    const interval = of(row) ?? { lower: null, upper: null }
    return limitsText(interval, { scale, decimals: decimals(row), refusal: refusal(row) })
  }
  return [
    paperNumber(key, [heading, unit], estimate, optional[0]),
    paperNumber(key, [level, ''], limits, optional[1]),
  ]
}

/** Formats a share as percent. */
export const percent = (share: number | null): string =>
  share === null ? unknown : withoutMinusZero((100 * share).toFixed(1))

/** Formats limits times `scale`, rounded outward: `[-29.4, 6.1]`; without limits the reason. */
function limitsText(
  { lower, upper }: Limits,
  { scale, decimals, refusal }: { scale: number; decimals: number; refusal: Refusal | null },
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
