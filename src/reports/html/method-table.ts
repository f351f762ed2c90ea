import { evidenceOf } from '../../analysis/evidence.ts'
import type { MethodSummary } from '../../analysis/summary.ts'
import { percentText, pointsText, type ScreenRow, shortP } from '../claims/rows.ts'
import type { Report } from '../report.ts'
import type { FirstScreen } from '../screen/first-screen.ts'
import { hasRanks, rankText } from '../screen/screen-columns.ts'
import type { Column } from '../tables/table.ts'
import { formatAmount, formatUsd, nothing, ratioText } from '../words/numbers.ts'
import { confidenceName } from '../words/result-text.ts'
import { safeLine } from '../words/safe-text.ts'
import { alignmentOf, breakableHtml, headingHtml, textHtml } from './html-text.ts'

/** Columns of the table of methods that the first five already show, or the title of the page. */
const shown = [
  ...['method', 'agents', 'simulated', 'faults'],
  ...['success_interval_text', 'success_difference_text', 'list_cost_text', 'cost_ratio_text'],
]

interface Joined {
  row: ScreenRow
  cells: Report['methods']['rows'][number]
}

/** Returns the methods of a report in the order of its first screen. */
export function orderedMethods({ summary }: Report, { rows }: FirstScreen): MethodSummary[] {
  return rows.flatMap((row) => summary.methods.filter((method) => isRowOf(row, method)))
}

function isRowOf({ method, agents }: ScreenRow, row: MethodSummary): boolean {
  if (safeLine(row.method) !== method) return false
  if (row.set === null) return true
  const set = safeLine(row.set)
  return agents === set || agents?.startsWith(`${set} (`) === true
}

/** Renders one row per method, best first, with five columns, and a button that shows the table of the others. */
export function methodTableHtml(report: Report, screen: FirstScreen): string {
  const { summary } = report
  const first = [
    { heading: 'method', unit: '', className: 'left' },
    { heading: screen.outcome, unit: `% [${confidenceName(summary)}]`, className: 'right' },
    { heading: 'cost', unit: 'USD a trial', className: 'right' },
    { heading: 'x baseline', unit: 'cost', className: 'right' },
    { heading: 'verdict', unit: 'points against the baseline', className: 'left' },
  ]
  const all = first.length + moreColumns(report, screen).length
  return [
    sortableHtml({
      id: 'method-table',
      caption: `Methods, best first${simulatedMark(report)}`,
      headings: first,
      rows: joinRows(report, screen).map(({ row }) => rowHtml(row, screen)),
    }),
    `<p class="open-all"><button type="button" id="all-columns" aria-expanded="false" aria-controls="more-columns">All ${all} columns</button></p>`,
  ].join('\n')
}

/** Renders the columns of the methods that the table of five columns does not have. */
export function moreColumnsHtml(report: Report, screen: FirstScreen): string {
  const { rows } = report.methods
  const columns = moreColumns(report, screen)
  const headings = columns.map((column) => ({
    heading: column.heading,
    unit: column.key === 'cost_text' ? 'as billed' : column.unit,
    className: alignmentOf(column, rows),
  }))
  return sortableHtml({
    id: 'more-table',
    caption: `Methods, all other columns${simulatedMark(report)}`,
    headings: [{ heading: 'method', unit: '', className: 'left' }, ...headings],
    rows: joinRows(report, screen).map(({ row, cells }) =>
      [
        nameHtml(row),
        ...columns.map(
          (column) =>
            `<td class="${alignmentOf(column, rows)}">${textHtml(cells[column.key]?.text ?? '')}</td>`,
        ),
      ].join(''),
    ),
  })
}

function joinRows({ summary, methods }: Report, screen: FirstScreen): Joined[] {
  return screen.rows.flatMap((row) => {
    const place = summary.methods.findIndex((method) => isRowOf(row, method))
    const cells = methods.rows[place]
    return cells ? [{ row, cells }] : []
  })
}

const simulatedMark = ({ summary }: Report) => evidenceOf(summary).mark

const moreColumns = ({ summary, methods }: Report, { outcome }: FirstScreen): Column[] =>
  methods.columns.filter(
    ({ key, audience }) =>
      audience !== 'data' &&
      !shown.includes(key) &&
      !(summary.simulated && key === 'cost_text') &&
      !(outcome === 'score' && key === 'score_text'),
  )

function sortableHtml({
  id,
  caption,
  headings,
  rows,
}: {
  id: string
  caption: string
  headings: Parameters<typeof headingHtml>[0][]
  rows: readonly string[]
}): string {
  return [
    '<div class="scroll" tabindex="0">',
    `<table class="sortable methods" id="${id}"><caption>${textHtml(caption)}</caption>`,
    `<thead><tr>${headings.map(headingHtml).join('')}</tr></thead>`,
    `<tbody>\n${rows.map((row) => `<tr>${row}</tr>`).join('\n')}\n</tbody></table></div>`,
  ].join('\n')
}

const nameHtml = ({ method, agents }: ScreenRow) =>
  `<th scope="row">${breakableHtml(method)}${agents === null ? '' : ` <small>${textHtml(agents)}</small>`}</th>`

function rowHtml(row: ScreenRow, { outcome, rows }: FirstScreen): string {
  const rank = hasRanks(rows) && row.rank !== null ? ` <small>rank ${rankText(row)}</small>` : ''
  const ratio = row.isBaseline || row.costRatio === null ? nothing : ratioText(row.costRatio)
  return [
    nameHtml(row),
    `<td class="right">${withLimits(percentText(outcome === 'score' && row.score ? row.score : row.success))}</td>`,
    `<td class="right">${formatAmount(row.cost, formatUsd)}</td>`,
    `<td class="right">${ratio}</td>`,
    `<td class="left">${verdictOf(row)}${rank}</td>`,
  ].join('')
}

const withLimits = (text: string) => text.replace(/ (\[.*\])$/, ' <small>$1</small>')

function verdictOf({ isBaseline, says, difference }: ScreenRow): string {
  if (isBaseline) return 'baseline'
  if (!difference || difference.estimate === null) return textHtml(says || nothing)
  const points = pointsText(difference)
  if (says === '') return `${textHtml(points)} <small>not tested</small>`
  const p = difference.p === null ? '' : `, p ${shortP(difference.p).replace(/^(?=\.)/, '= ')}`
  return `<strong>${textHtml(says)}</strong> <small>${textHtml(`${points}${p}`)}</small>`
}
