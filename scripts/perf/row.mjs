// Measured rows, and how they are printed.

/**
 * A row of samples in `unit`: ours and those of a floor or peer. The ratio is that of their medians. Its target is
 * `atMost` for ours over theirs, or `atLeast` for theirs over ours; `ownAtMost` is one for our value itself.
 */
export function makeRow(what, unit, ours, against, theirs, { atMost, atLeast, ownAtMost }) {
  const [own, other] = [spread(ours), spread(theirs)]
  const isBelow = atLeast !== undefined
  const ratio = isBelow ? other.median / own.median : own.median / other.median
  const [target, met] = isBelow
    ? [`>= ${atLeast}x`, ratio >= atLeast]
    : ownAtMost !== undefined
      ? [`<= ${ownAtMost} ${unit}`, own.median <= ownAtMost]
      : [`<= ${atMost}x`, ratio <= atMost]
  return { what, unit, ours: own, against, theirs: other, ratio, target, met }
}

/** A row without a measurement: why, and how to get one. */
export const missingRow = (what, why) => ({ what, missing: why })

/** Median, least and greatest of some numbers. */
function spread(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const median = sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  return { median, min: sorted[0], max: sorted.at(-1) }
}

const headings = ['what', 'ours (min–max)', 'floor or peer (min–max)', 'ratio', 'target', 'met']

/** Rows as a table with aligned columns, for a terminal or as Markdown. */
export function formatRows(rows, isMarkdown) {
  const cells = [headings, ...rows.map(cellsOf)]
  const widths = headings.map((_, i) => Math.max(...cells.map((row) => row[i].length)))
  const rule = widths.map((width) => '-'.repeat(width))
  return [cells[0], rule, ...cells.slice(1)]
    .map((row) => row.map((cell, i) => cell.padEnd(widths[i])))
    .map((row) => (isMarkdown ? `| ${row.join(' | ')} |` : row.join('  ').trimEnd()))
    .join('\n')
}

function cellsOf({ what, missing, unit, ours, against, theirs, ratio, target, met }) {
  if (missing) return [what, `not measured: ${missing}`, '', '', '', '']
  const theirCell = `${against}: ${withSpread(theirs)} ${unit}`
  return [what, `${withSpread(ours)} ${unit}`, theirCell, `${number(ratio)}x`, target, met ? 'yes' : 'NO']
}

const withSpread = ({ median, min, max }) =>
  min === max ? number(median) : `${number(median)} (${number(min)}–${number(max)})`

/** Three significant digits, whole numbers in full. */
const number = (value) =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
