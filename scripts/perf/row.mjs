// What one measured line is, and how the lines are printed.
import { spread } from './measure.mjs'

/**
 * A row: `ours` and `reference` are samples in `unit`; the ratio is that of their medians. With `atMost` or `atLeast`
 * the row has a target: for the ratio, or, with no reference, for the value itself.
 */
export function makeRow({
  line,
  what,
  unit,
  ours,
  against = '',
  reference,
  inverse,
  atMost,
  atLeast,
  note = '',
}) {
  const own = spread(ours)
  const other = reference && spread(reference)
  const ratio = other ? (inverse ? other.median / own.median : own.median / other.median) : null
  const judged = ratio ?? own.median
  const met = atMost !== undefined ? judged <= atMost : atLeast !== undefined ? judged >= atLeast : null
  return { line, what, unit, ours: own, against, reference: other ?? null, ratio, atMost, atLeast, met, note }
}

/** A row of what could not be measured, and why. */
export const missingRow = (line, what, note) => ({ line, what, note })

const headings = ['line', 'what', 'ours (min–max)', 'floor or peer (min–max)', 'ratio', 'target', 'met']

/** Rows as a Markdown table with aligned columns; notes below it. */
export function markdown(rows) {
  const cells = [headings, ...rows.map(cellsOf)]
  const widths = headings.map((_, i) => Math.max(...cells.map((row) => row[i].length)))
  const text = (row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  const notes = rows.filter(({ note }) => note).map(({ what, note }) => `- ${what}: ${note}`)
  return [
    text(cells[0]),
    rule,
    ...cells.slice(1).map(text),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ].join('\n')
}

function cellsOf(row) {
  if (!row.ours) return [row.line, row.what, 'not measured', '', '', '', '']
  const { line, what, unit, ours, against, reference, ratio, atMost, atLeast, met } = row
  const target = atMost !== undefined ? `<= ${atMost}` : atLeast !== undefined ? `>= ${atLeast}` : ''
  return [
    line,
    what,
    `${withSpread(ours)} ${unit}`,
    reference ? `${against}: ${withSpread(reference)} ${unit}` : against,
    ratio === null ? '' : `${number(ratio)}x`,
    target && (ratio === null ? `${target} ${unit}` : `${target}x`),
    met === null ? '' : met ? 'yes' : 'NO',
  ]
}

const withSpread = ({ median, min, max }) =>
  min === max ? number(median) : `${number(median)} (${number(min)}–${number(max)})`

/** Three significant digits, whole numbers in full. */
const number = (value) =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
