import type { MethodSummary } from '../../analysis/summary.ts'
import type { Report } from '../report.ts'
import type { FirstScreen } from '../screen/first-screen.ts'
import type { ScreenRow } from '../screen/rows.ts'
import { percentText, pointsText, shortP } from '../screen/short-text.ts'
import { confidenceName } from '../tables/method-columns.ts'
import type { Column } from '../tables/table.ts'
import { formatAmount, formatUsd, nothing } from '../words/numbers.ts'
import { ratioText } from '../words/ratio-text.ts'
import { safeLine } from '../words/safe-text.ts'
import { escapeHtml } from './html-text.ts'
import { alignmentOf, headingHtml } from './table-html.ts'

/** Columns of the table of methods that the first five already show, or the title of the page. */
const shown = ['method', 'agents', 'simulated', 'faults', 'success_interval_text', 'list_cost_text']

/** A method of the summary with its row of the first screen and its row of the table of methods. */
interface Joined {
  method: MethodSummary
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

/** Renders one row per method, best first: five columns, and all others, which a button shows. */
export function methodTableHtml(report: Report, screen: FirstScreen): string {
  const { summary, methods } = report
  const joined = screen.rows.flatMap((row): Joined[] => {
    const place = summary.methods.findIndex((method) => isRowOf(row, method))
    const [method, cells] = [summary.methods[place], methods.rows[place]]
    return method && cells ? [{ method, row, cells }] : []
  })
  const more = methods.columns.filter(
    ({ key, audience }) =>
      audience !== 'data' && !shown.includes(key) && !(summary.simulated && key === 'cost_text'),
  )
  const level = confidenceName(summary)
  const first = [
    { heading: 'method', unit: '', className: 'left' },
    { heading: screen.outcome, unit: `% [${level}]`, className: 'right' },
    { heading: 'cost', unit: 'USD a trial', className: 'right' },
    { heading: 'x baseline', unit: 'cost', className: 'right' },
    { heading: 'verdict', unit: 'against the baseline', className: 'left' },
  ]
  const moreHeadings = more.map((column) => ({
    heading: column.heading,
    unit: column.key === 'cost_text' ? 'as billed' : column.unit,
    className: `${alignmentOf(column, methods.rows)} more`,
  }))
  const lines = joined.map((one) => `<tr>${rowHtml(one, screen, more, methods.rows)}</tr>`)
  return [
    '<div class="scroll" tabindex="0">',
    `<table class="sortable" id="method-table"><caption>${escapeHtml(`Methods, best first${summary.simulated ? ' (simulated)' : ''}`)}</caption>`,
    `<thead><tr>${[...first, ...moreHeadings].map(headingHtml).join('')}</tr></thead>`,
    `<tbody>\n${lines.join('\n')}\n</tbody></table></div>`,
    `<p class="open-all"><button type="button" id="all-columns" aria-expanded="false" aria-controls="method-table">All ${first.length + more.length} columns</button></p>`,
  ].join('\n')
}

function rowHtml(
  { row, cells }: Joined,
  { outcome }: FirstScreen,
  more: readonly Column[],
  rows: Report['methods']['rows'],
): string {
  const name = `${breakable(row.method)}${row.agents === null ? '' : ` <small>${escapeHtml(row.agents)}</small>`}`
  const others = more.map(
    (column) =>
      `<td class="${alignmentOf(column, rows)} more">${escapeHtml(cells[column.key]?.text ?? '')}</td>`,
  )
  const ratio = row.isBaseline || row.costRatio === null ? nothing : ratioText(row.costRatio)
  return [
    `<th scope="row">${name}</th>`,
    `<td class="right">${withLimits(percentText(outcome === 'score' && row.score ? row.score : row.success))}</td>`,
    `<td class="right">${formatAmount(row.cost, formatUsd)}</td>`,
    `<td class="right">${ratio}</td>`,
    `<td class="left">${verdictOf(row)}</td>`,
    ...others,
  ].join('')
}

/** Puts the limits below the number. */
const withLimits = (text: string) => text.replace(/ (\[.*\])$/, ' <small>$1</small>')

/** A long name may be broken where its options begin and end. */
const breakable = (name: string) =>
  name
    .split(/(?<=[=:,])|(?=\[)/)
    .map(escapeHtml)
    .join('<wbr>')

/** Returns the verdict, and below it the difference with its limits and p. */
function verdictOf({ isBaseline, says, difference }: ScreenRow): string {
  if (isBaseline) return 'baseline'
  if (!difference || difference.estimate === null) return escapeHtml(says || nothing)
  const points = pointsText(difference)
  if (says === '') return `${escapeHtml(points)} <small>points, not tested</small>`
  const p = difference.p === null ? '' : `, p ${shortP(difference.p).replace(/^(?=\.)/, '= ')}`
  return `<strong>${escapeHtml(says)}</strong> <small>${escapeHtml(`${points} points${p}`)}</small>`
}
