import type { Claim } from '../../analysis/claims/claims.ts'
import type { Comparison } from '../../analysis/compare/comparison.ts'
import { amountOf } from '../words/bill-text.ts'
import { formatAmount, formatUsd, listed, present, ratioRange } from '../words/numbers.ts'
import type { ScreenRow } from './rows.ts'

/** More methods than this are not named one by one. */
const mostNamed = 3

/**
 * Says what a success costs with the best method and with the baseline, and which methods are shown to cost more or less than the
 * baseline; without a ratio what a success or a trial costs. `mark` follows dollars that nobody paid.
 */
export function priceText(all: readonly ScreenRow[], comparison: Comparison | null, mark: string): string {
  const rows = all.filter(({ isBound }) => !isBound)
  if (rows.length === 0) return 'nothing to compare.'
  const bases = rows.filter(({ isBaseline }) => isBaseline)
  const [base] = bases
  const others = rows.filter(({ successCostRatio }) => successCostRatio?.ratio != null)
  // With several sets of agents each has its own baseline.
  if (comparison === null || bases.length !== 1 || !base || others.length === 0)
    return amountsText(rows, mark)
  const best = rows.find((row) => others.includes(row)) as ScreenRow
  const claimed = (kind: Claim['kind']) =>
    others.filter(({ name }) =>
      comparison.claims.some((claim) => claim.kind === kind && claim.of === name && claim.than === base.name),
    )
  const [more, less] = [claimed('costs-more'), claimed('costs-less')]
  const isTested = comparison.prices.some(
    ({ a, b, adjustedP }) => adjustedP !== null && [a, b].includes(best.name) && [a, b].includes(base.name),
  )
  const isOpen = isTested && !more.includes(best) && !less.includes(best)
  const rest = (some: readonly ScreenRow[]) => some.filter((row) => row !== best)
  const unknown = rows.filter((row) => row !== base && row.successCostRatio?.ratio == null)
  const parts = present([
    `a success costs ${priceOf(best)} with ${best.name} and ${priceOf(base)} with ${base.name}${mark}: ${ratioOf(best)}${isOpen ? ', open' : ''}`,
    ratiosText(rest(more), `more than ${base.name}`),
    ratiosText(rest(less), `less than ${base.name}`),
    unknown.length > 0 && `no ratio for ${namesOf(unknown)}`,
    ...tasksText(others, comparison.tasks.length),
  ])
  return `${parts.join('; ')}.`
}

function ratiosText(rows: readonly ScreenRow[], what: string): string {
  if (rows.length === 0) return ''
  const named = rows.slice(0, mostNamed).map((row) => `${row.name} ${ratioOf(row)}`)
  const more = rows.length - named.length
  return `${what}: ${named.join(', ')}${more > 0 ? ` (${more} more in the table)` : ''}`
}

const priceOf = ({ costPerSuccess }: ScreenRow) => formatAmount(amountOf(costPerSuccess), formatUsd)

/** All tasks have the same ratio, so it has no limits and needs none. */
const isExact = (ratio: ScreenRow['successCostRatio']): boolean =>
  ratio !== null && ratio.ratio !== null && ratio.refusal === 'no-spread'

function tasksText(rows: readonly ScreenRow[], all: number): string[] {
  const numbers = rows.flatMap(({ successCostRatio }) => successCostRatio?.nTasks ?? [])
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  if (least >= all) return []
  return [`over ${least === most ? least : `${least} to ${most}`} of ${all} tasks`]
}

const ratioOf = ({ successCostRatio }: ScreenRow): string =>
  `${successCostRatio ? ratioRange(successCostRatio) : 'unknown'}${isExact(successCostRatio) ? ' on every task' : ''}`

const namesOf = (rows: readonly ScreenRow[]): string =>
  rows.length > mostNamed ? `${rows.length} methods` : listed(rows.map(({ name }) => name))

/** A success has a cost that is unknown, or known in part. */
const isUnsure = ({ costPerSuccess: { kind, estimate, dropped } }: ScreenRow): boolean =>
  kind !== 'zero-successes' && (estimate === null || kind === 'at-least' || dropped > 0)

function amountsText(rows: readonly ScreenRow[], mark: string): string {
  if (rows.every(({ cost }) => cost.value === 0 && !cost.lowerBound)) return 'nothing was paid.'
  const lowest = (of: (row: ScreenRow) => number | null) =>
    rows.reduce<ScreenRow | null>((best, row) => {
      const [own, least] = [of(row), best && of(best)]
      return own !== null && (least === null || own < least) ? row : best
    }, null)
  const success = lowest(({ costPerSuccess }) => amountOf(costPerSuccess).value)
  if (success) {
    const price = `${priceOf(success)}${mark}`
    if (rows.length === 1)
      return `a success costs ${price}, a trial ${formatAmount(success.cost, formatUsd)}${mark}.`
    const unsure = rows.filter(isUnsure)
    if (unsure.length === 0) return `a success costs least with ${success.name}, ${price}.`
    return `a success costs ${price} with ${success.name}; not compared: the cost of ${namesOf(unsure)} is not fully known.`
  }
  const trial = lowest(({ cost }) => cost.value)
  if (!trial) return 'unknown: no cost is known.'
  const price = `${formatAmount(trial.cost, formatUsd)}${mark}`
  const none = rows.every(({ costPerSuccess }) => costPerSuccess.kind === 'zero-successes')
  const why = none ? 'nothing was solved; ' : ''
  return rows.length === 1
    ? `${why}a trial costs ${price}.`
    : `${why}a trial costs least with ${trial.name}, ${price}.`
}
