import { displayWidth, padEnd, padStart } from '../../text/display-width.ts'
import { longestPart, wrapWords } from '../../text/wrap-words.ts'
import type { Column, Table } from '../tables/table.ts'

const gap = 2

/**
 * Renders a table as aligned columns of at most `width` characters. If it is wider, cells wrap at spaces; if that is not
 * enough, columns are left out from the right, and a line below the table names them.
 */
export function renderTextTable(table: Table, width: number): string[] {
  const shown = table.columns.filter(({ audience }) => audience !== 'data')
  const columns = fittingColumns(table, shown, width)
  const out = shown.filter((column) => !columns.includes(column)).map(headingOf)
  const widths = columnWidths(table, columns, width)
  const line = (cells: readonly string[]) => layOut(cells, columns, widths)
  return [
    ...wrapWords(table.title, width),
    '',
    ...line(columns.map(({ heading }) => heading)),
    ...(columns.some(({ unit }) => unit !== '') ? line(columns.map(({ unit }) => unit)) : []),
    ...line(columns.map((_, i) => '-'.repeat(widths[i] ?? 0))),
    ...table.rows.flatMap((row) => line(columns.map(({ key }) => row[key]?.text ?? ''))),
    ...(out.length > 0
      ? wrapWords(`Too wide for ${width} columns, so left out: ${out.join(', ')}.`, width)
      : []),
  ]
}

const headingOf = ({ heading, unit }: Column) => (unit === '' ? heading : `${heading} ${unit}`)

/** Leaves out columns from the right until the narrowest form of the rest fits; labels and the first column stay. */
function fittingColumns(table: Table, shown: readonly Column[], width: number): Column[] {
  const columns = [...shown]
  const least = (some: readonly Column[]) =>
    some.reduce((sum, column) => sum + Math.min(leastWidth(table, column), width) + gap, -gap)
  while (columns.length > 1 && least(columns) > width) {
    const last = columns.findLastIndex(({ group }) => group !== 'label')
    columns.splice(last > 0 ? last : -1, 1)
  }
  return columns
}

/** Shrinks the widest columns until the table fits. */
function columnWidths(table: Table, columns: readonly Column[], width: number): number[] {
  const natural = columns.map((column) =>
    textsOf(table, column).reduce((w, text) => Math.max(w, displayWidth(text)), 1),
  )
  const least = columns.map((column) => Math.min(leastWidth(table, column), width))
  const capped = (cap: number) => natural.map((own, i) => Math.max(least[i] ?? 1, Math.min(own, cap)))
  const total = (widths: readonly number[]) => widths.reduce((sum, own) => sum + own + gap, -gap)
  let cap = Math.max(...natural)
  while (cap > 1 && total(capped(cap)) > width) cap--
  return capped(cap)
}

/** Returns the narrowest width that splits no word of a column. */
function leastWidth(table: Table, column: Column): number {
  return textsOf(table, column).reduce((most, text) => Math.max(most, longestPart(text)), 1)
}

const textsOf = (table: Table, { key, heading, unit }: Column): string[] => [
  heading,
  unit,
  ...table.rows.map((row) => row[key]?.text ?? ''),
]

/** Returns the lines of one row; cells that wrap are continued below. */
function layOut(cells: readonly string[], columns: readonly Column[], widths: readonly number[]): string[] {
  const wrapped = cells.map((cell, i) => wrapWords(cell, widths[i] ?? 1))
  const height = wrapped.reduce((most, lines) => Math.max(most, lines.length), 1)
  return Array.from({ length: height }, (_, at) =>
    columns
      .map(({ align }, i) => (align === 'left' ? padEnd : padStart)(wrapped[i]?.[at] ?? '', widths[i] ?? 1))
      .join(' '.repeat(gap))
      .trimEnd(),
  )
}
