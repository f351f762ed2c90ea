import { displayWidth, padEnd, padStart } from '../../text/display-width.ts'
import { longestPart, wrapWords } from '../../text/wrap-words.ts'
import type { RenderOptions, Report } from '../report.ts'
import type { Column, Note, Table } from '../tables/table.ts'
import { renderParts } from './render-parts.ts'
import { commandLines, renderScreenText } from './screen-text.ts'

/** Width of a line where no terminal tells its own, so that logs stay the same. */
const usualWidth = 100

/** Renders plain aligned columns for terminals and logs. No line is wider than `width`. */
export function renderText(report: Report, shown: RenderOptions = {}): string {
  const { width = usualWidth } = shown
  return renderParts(report, shown, {
    screen: (screen) => renderScreenText(screen, { width, isAlone: shown.part === 'short' }),
    section: (tables, notes) => renderTextTables(tables, notes, width),
  })
}

/** Renders tables and their notes as aligned columns of at most `width` characters a line. */
export function renderTextTables(
  tables: readonly Table[],
  notes: readonly Note[],
  width = usualWidth,
): string {
  const listed = notes.flatMap((note) => noteLines(note, width)).join('\n')
  const parts = [...tables.map((table) => renderTextTable(table, width).join('\n')), listed]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function noteLines({ text, commands = [] }: Note, width: number): string[] {
  const lines = wrapWords(text, width - 2).map((line, i) => `${i === 0 ? '- ' : '  '}${line}`)
  return [...lines, ...commands.flatMap((command) => commandLines(command, width, '    '))]
}

const gap = 2
/** Where a cell would take more lines, a column is left out instead. */
const tallestCell = 3

/**
 * Renders a table as aligned columns of at most `width` characters. If it is wider, headings wrap at spaces, then labels, then
 * other cells; if that is not enough, columns are left out from the right, and a line below the table names them.
 */
function renderTextTable(table: Table, width: number): string[] {
  const shown = table.columns.filter(({ audience }) => audience !== 'data')
  const { columns, widths } = fitColumns(table, shown, width)
  const out = shown.filter((column) => !columns.includes(column))
  const line = (cells: readonly string[]) => layOut(cells, columns, widths)
  return [
    ...wrapWords(table.title, width),
    ...line(columns.map(({ heading }) => heading)),
    ...(columns.some(({ unit }) => unit !== '') ? line(columns.map(({ unit }) => unit)) : []),
    ...line(columns.map((_, i) => '-'.repeat(widths[i] ?? 0))),
    ...table.rows.flatMap((row) => line(columns.map(({ key }) => keepLimits(row[key]?.text ?? '')))),
    ...(out.length === 0 ? [] : restOf(table, { shown, out }, width)),
  ]
}

function restOf(
  table: Table,
  { shown, out }: { shown: readonly Column[]; out: readonly Column[] },
  width: number,
): string[] {
  const labels = shown.filter((column) => column.group === 'label' && !out.includes(column))
  if (!table.isSplit || labels.length + out.length === shown.length)
    return wrapWords(`Too wide for ${width} columns, so left out: ${out.map(headingOf).join(', ')}.`, width)
  return renderTextTable({ ...table, title: '', columns: [...labels, ...out] }, width).slice(1)
}

const headingOf = ({ heading, unit }: Column) => (unit === '' ? heading : `${heading} ${unit}`)

interface Fitted {
  columns: Column[]
  widths: number[]
}

/** Leaves out columns from the right until the rest fits; labels and the first column stay. */
function fitColumns(table: Table, shown: readonly Column[], width: number): Fitted {
  const columns = [...shown]
  for (;;) {
    const natural = columns.map((column) => widest([...headsOf(column), ...cellsOf(table, column)]))
    for (const least of leastWidths(table, columns)) {
      const widths = shrink(natural, least, width)
      if (widths && cellHeight(table, columns, widths) <= tallestCell) return { columns, widths }
    }
    if (columns.length === 1) return { columns, widths: [width] }
    const last = columns.findLastIndex(({ group }) => group !== 'label')
    columns.splice(last > 0 ? last : -1, 1)
  }
}

function leastWidths(table: Table, columns: readonly Column[]): number[][] {
  const parts = (texts: readonly string[]) =>
    texts.reduce((most, text) => Math.max(most, longestPart(text)), 1)
  const least = (wraps: (column: Column) => boolean) =>
    columns.map((column) => {
      const cells = cellsOf(table, column)
      return Math.max(parts(headsOf(column)), wraps(column) ? parts(cells) : widest(cells))
    })
  return [least(() => false), least(({ align }) => align === 'left'), least(() => true)]
}

function shrink(natural: readonly number[], least: readonly number[], width: number): number[] | undefined {
  const total = (widths: readonly number[]) => widths.reduce((sum, own) => sum + own + gap, -gap)
  const capped = (cap: number) => natural.map((own, i) => Math.max(least[i] ?? 1, Math.min(own, cap)))
  if (total(least) > width) return undefined
  let cap = widestOf(natural)
  while (cap > 1 && total(capped(cap)) > width) cap--
  return capped(cap)
}

const cellHeight = (table: Table, columns: readonly Column[], widths: readonly number[]): number =>
  widestOf(
    columns.flatMap((column, i) =>
      cellsOf(table, column).map((text) => wrapWords(text, widths[i] ?? 1).length),
    ),
  )

const headsOf = ({ heading, unit }: Column): string[] => [heading, unit]

const cellsOf = (table: Table, { key }: Column): string[] =>
  table.rows.map((row) => keepLimits(row[key]?.text ?? ''))

/** Joins the limits of an interval, which never wrap apart, by a space that is none for `wrapWords`. */
const keepLimits = (text: string): string => text.replace(/(\[[^\][ ]+,) (?=[^\][ ]+\])/g, '$1\u00a0')

const widest = (texts: readonly string[]): number => widestOf(texts.map(displayWidth))

const widestOf = (widths: readonly number[]): number =>
  widths.reduce((most, width) => Math.max(most, width), 1)

function layOut(cells: readonly string[], columns: readonly Column[], widths: readonly number[]): string[] {
  const wrapped = cells.map((cell, i) => wrapWords(cell, widths[i] ?? 1))
  const height = wrapped.reduce((most, lines) => Math.max(most, lines.length), 1)
  return Array.from({ length: height }, (_, at) =>
    columns
      .map(({ align }, i) => (align === 'left' ? padEnd : padStart)(wrapped[i]?.[at] ?? '', widths[i] ?? 1))
      .join(' '.repeat(gap))
      .replaceAll('\u00a0', ' ')
      .trimEnd(),
  )
}
