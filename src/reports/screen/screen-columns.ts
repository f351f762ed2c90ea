import { displayWidth } from '../../text/display-width.ts'
import { percentText, pointsText, type ScreenRow, shortP, wholePercentText } from '../claims/rows.ts'
import { costPerSuccessText } from '../words/bill-text.ts'
import { wordsWithP } from '../words/claim-words.ts'
import {
  counted,
  formatAmount,
  formatUsd,
  isUseless,
  nothing,
  present,
  ratioRange,
  ratioText,
} from '../words/numbers.ts'
import type { FirstScreen } from './first-screen.ts'

/** A column of the first screen; columns of one group stand together under its heading. */
export interface ScreenColumn {
  key: 'result' | 'rank' | 'points' | 'p' | 'says' | 'usd' | 'ratio' | 'price'
  group: string
  unit: string
  align: 'left' | 'right'
  cells: string[]
}

interface ScreenDetail {
  /** Whether p has a column of its own; else it stands beside the word. */
  p: boolean
  /** Cost per success: with its limits, alone, or not at all. */
  price: 'limits' | 'alone' | null
  ratio: boolean
  cost: boolean
  /** Whether success and difference have limits, and the success a decimal. */
  limits: boolean
  decimals: boolean
  points: boolean
}

/** So few methods are told apart by their pairs; more have ranks. */
const fewRanked = 3

/** A longer name of the baseline is not in the heading; its row says that it is the baseline. */
const longestHeading = 24

const all: ScreenDetail = {
  p: true,
  price: 'limits',
  ratio: true,
  cost: true,
  limits: true,
  decimals: true,
  points: true,
}
const withoutPrice: ScreenDetail = { ...all, p: false, price: null }

/** What tables show, from the widest to the narrowest. */
export const screenDetails: readonly [ScreenDetail, ...ScreenDetail[]] = [
  all,
  { ...all, p: false, price: 'alone' },
  withoutPrice,
  { ...withoutPrice, ratio: false },
  { ...withoutPrice, ratio: false, decimals: false },
  { ...withoutPrice, ratio: false, cost: false, decimals: false },
  { ...withoutPrice, ratio: false, cost: false, decimals: false, limits: false },
  { ...withoutPrice, ratio: false, cost: false, decimals: false, limits: false, points: false },
]

/** Returns the columns of the first screen beside the names of the methods. Columns without any value are left out. */
export function screenColumns(screen: FirstScreen, detail: ScreenDetail): ScreenColumn[] {
  const { rows, baseline } = screen
  const level = detail.limits ? ` [${Number((100 * screen.confidence).toFixed(2))}%]` : ''
  const isOne = rows.filter((row) => row.isBaseline).length === 1
  const than =
    baseline === null || !isOne || displayWidth(baseline) > longestHeading
      ? 'than baseline'
      : `than ${baseline}`
  const cost = 'USD'
  const column = (
    key: ScreenColumn['key'],
    [group, unit]: [string, string],
    cell: (row: ScreenRow) => string,
    align: ScreenColumn['align'] = 'right',
  ): ScreenColumn => ({ key, group, unit, align, cells: rows.map(cell) })
  const compares = rows.some(({ difference }) => difference !== null)
  const isTested = rows.some(({ says }) => says !== '')
  const hasRatio = rows.some(({ costRatio }) => costRatio !== null)
  const bare = <One extends { lower: number | null; upper: number | null }>(one: One) =>
    detail.limits ? one : { ...one, lower: null, upper: null }
  const share = detail.decimals ? percentText : wholePercentText
  return present([
    column('result', [screen.outcome, `%${level}`], ({ success, score }) => share(bare(score ?? success))),
    detail.decimals && hasRanks(rows) && column('rank', ['rank', ''], rankText),
    compares &&
      detail.points &&
      column('points', [than, `points${level}`], ({ difference, isBaseline }) =>
        isBaseline ? 'baseline' : difference === null ? nothing : pointsText(bare(difference)),
      ),
    isTested &&
      detail.p &&
      rows.some(({ difference }) => difference?.p != null) &&
      column('p', [than, 'p'], ({ difference }) => pText(difference?.p ?? null)),
    isTested && column('says', [than, 'says'], (row) => saysText(row, !detail.p), 'left'),
    detail.cost &&
      column('usd', [cost, 'per trial'], ({ cost }) => withoutSign(formatAmount(cost, formatUsd))),
    detail.ratio &&
      hasRatio &&
      column('ratio', ['cost', `ratio${level}`], (row) => costRatioText(row, detail.limits)),
    detail.price !== null &&
      column('price', [cost, `per success${detail.price === 'limits' ? level : ''}`], ({ costPerSuccess }) =>
        withoutSign(
          `${costPerSuccessText(
            detail.price === 'limits' ? costPerSuccess : { ...costPerSuccess, lower: null, upper: null },
          )}${ofTasksText(costPerSuccess)}`,
        ),
      ),
  ])
}

/** Limits that nobody can use are not shown here; the table of spending says why. */
function costRatioText({ costRatio, costRatioLimits: { lower, upper } }: ScreenRow, limits: boolean): string {
  if (costRatio === null) return ''
  const isShown = limits && lower !== null && upper !== null && !isUseless(lower, upper)
  return isShown ? ratioRange({ ratio: costRatio, lower, upper, refusal: null }) : ratioText(costRatio)
}

/** Whether methods are so many that their ranks are told. */
export const hasRanks = (rows: readonly ScreenRow[]): boolean =>
  rows.filter(({ rank }) => rank !== null).length > fewRanked

/** Returns the ranks that the tests allow a method, `1-3`; empty for a row that is in no comparison. */
export const rankText = ({ rank }: Pick<ScreenRow, 'rank'>): string =>
  rank === null ? '' : rank[0] === rank[1] ? String(rank[0]) : rank.join('-')

const pText = (p: number | null): string => (p === null ? '' : shortP(p))

// The p is that of the difference, not of the test against a margin.
const saysText = ({ says, difference }: ScreenRow, withP: boolean): string =>
  withP && wordsWithP.has(says) ? [says, pText(difference?.p ?? null)].filter(Boolean).join(' ') : says

const ofTasksText = ({ dropped, estimate, kind, tasks }: ScreenRow['costPerSuccess']): string =>
  dropped > 0 && estimate !== null && kind !== 'at-least' ? ` (${counted(tasks, 'task')})` : ''

// The heading has the unit.
const withoutSign = (text: string): string => text.replace('$', '')
