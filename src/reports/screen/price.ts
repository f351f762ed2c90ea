import type { Comparison } from '../../analysis/compare/comparison.ts'
import { amountOf } from '../words/bill-text.ts'
import { formatAmount, formatUsd, listed, present, ratioRange } from '../words/numbers.ts'
import type { ScreenRow } from './rows.ts'

/** More methods than this are not named one by one. */
const mostNamed = 4

/** Says what a success costs with each method, against the baseline; or what a trial costs where nothing was solved. */
export function priceText(all: readonly ScreenRow[], comparison: Comparison | null): string {
  const rows = all.filter(({ isBound }) => !isBound)
  if (rows.length === 0) return 'nothing to compare.'
  const bases = rows.filter(({ isBaseline }) => isBaseline)
  const others = rows.filter(({ successCostRatio }) => successCostRatio?.ratio != null)
  // With several sets of agents each has its own baseline.
  if (comparison === null || bases.length !== 1 || others.length === 0) return amountsText(rows)
  const [base] = bases
  const isClear = ({ successCostRatio }: ScreenRow) => {
    const { lower, upper } = successCostRatio ?? {}
    return isExact(successCostRatio) || (lower != null && lower > 1) || (upper != null && upper < 1)
  }
  const clear = others.filter(isClear).slice(0, mostNamed)
  const open = others.filter((row) => !isClear(row))
  const more = others.filter(isClear).length - clear.length
  const unknown = rows.filter(
    ({ isBaseline, successCostRatio }) => !isBaseline && successCostRatio?.ratio == null,
  )
  const parts = present([
    clear.length > 0 &&
      `${clear.map(ratioOfRow).join(', ')}${more > 0 ? ` (${more} more in the table)` : ''}`,
    open.length > 0 && openText(open, clear.length > 0),
    unknown.length > 0 && `no ratio for ${namesOf(unknown)}`,
  ])
  const lead =
    clear.length > 0
      ? `against ${base?.name}, a success costs `
      : `the cost of a success against ${base?.name} is `
  return `${lead}${[...parts, ...tasksText(others, comparison.tasks.length)].join('; ')}.`
}

/** All tasks have the same ratio, so it has no limits and needs none. */
const isExact = (ratio: ScreenRow['successCostRatio']): boolean =>
  ratio !== null && ratio.ratio !== null && ratio.refusal === 'no-spread'

function tasksText(rows: readonly ScreenRow[], all: number): string[] {
  const numbers = rows.flatMap(({ successCostRatio }) => successCostRatio?.nTasks ?? [])
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  if (least >= all) return []
  return [`over ${least === most ? least : `${least} to ${most}`} of ${all} tasks`]
}

const ratioOfRow = ({ name, successCostRatio }: ScreenRow): string =>
  `${successCostRatio ? ratioRange(successCostRatio) : 'unknown'} with ${name}${isExact(successCostRatio) ? ' on every task' : ''}`

function openText(open: readonly ScreenRow[], isSecond: boolean): string {
  const [only] = open
  const range = open.length === 1 && only?.successCostRatio ? ` (${ratioRange(only.successCostRatio)})` : ''
  return isSecond ? `open: ${namesOf(open)}${range}` : `open for ${namesOf(open)}${range}`
}

const namesOf = (rows: readonly ScreenRow[]): string =>
  rows.length > mostNamed ? `${rows.length} methods` : listed(rows.map(({ name }) => name))

/** A success has a cost that is unknown, or known in part. */
const isUnsure = ({ costPerSuccess: { kind, estimate, dropped } }: ScreenRow): boolean =>
  kind !== 'zero-successes' && (estimate === null || kind === 'at-least' || dropped > 0)

function amountsText(rows: readonly ScreenRow[]): string {
  const cheapest = (of: (row: ScreenRow) => number | null) =>
    rows.reduce<ScreenRow | null>((best, row) => {
      const [own, least] = [of(row), best && of(best)]
      return own !== null && (least === null || own < least) ? row : best
    }, null)
  const success = cheapest(({ costPerSuccess }) => amountOf(costPerSuccess).value)
  if (success) {
    const price = formatAmount(amountOf(success.costPerSuccess), formatUsd)
    if (rows.length === 1)
      return `a success costs ${price}, a trial ${formatAmount(success.cost, formatUsd)}.`
    const unsure = rows.filter(isUnsure)
    if (unsure.length === 0) return `a success costs least with ${success.name}, ${price}.`
    return `a success costs ${price} with ${success.name}; not compared: the cost of ${namesOf(unsure)} is not fully known.`
  }
  const trial = cheapest(({ cost }) => cost.value)
  if (!trial) return 'unknown: no call has a known cost.'
  const price = formatAmount(trial.cost, formatUsd)
  const none = rows.every(({ costPerSuccess }) => costPerSuccess.kind === 'zero-successes')
  const why = none ? 'nothing was solved; ' : ''
  return rows.length === 1
    ? `${why}a trial costs ${price}.`
    : `${why}a trial costs least with ${trial.name}, ${price}.`
}
