import type { PaperColumn } from '../tables/paper-columns.ts'
import { present } from '../words/numbers.ts'
import { breakText, latexNumbers, latexText, textWidth } from './latex-text.ts'

/** Points of the line of LaTeX's class `article`, which few papers go below. */
const lineWidth = 345
/** Lines of the longest table that fits on a page. */
const mostLines = 38

/** Settings from the most to the least readable; `most` is the number of characters of a line of a name. */
const settings = [
  { size: 'small', points: 9, gap: 6, most: 40 },
  { size: 'small', points: 9, gap: 4, most: 40 },
  { size: 'small', points: 9, gap: 4, most: 24 },
  { size: 'small', points: 9, gap: 4, most: 16 },
  { size: 'footnotesize', points: 8, gap: 4, most: 16 },
  { size: 'footnotesize', points: 8, gap: 3, most: 16 },
] as const
type Setting = (typeof settings)[number]

/** A table whose cells are broken into lines, all columns of the same font. */
interface Layout<Row> {
  setting: Setting
  /** The columns of each tabular, one below the other; usually one. */
  blocks: PaperColumn<Row>[][]
}

/** Renders a table as floats that no line and no page is too small for; usually one. */
export function latexTable<Row>(
  { caption, label }: { caption: string; label: string },
  columns: readonly PaperColumn<Row>[],
  rows: readonly Row[],
): string {
  const { setting, blocks } = layOut(columns, rows)
  const pages = splitRows(rows, blocks, setting)
  return pages
    .map((page, i) =>
      present([
        '\\begin{table}[htbp]',
        '  \\centering',
        `  \\caption{${latexText(caption)}${i === 0 ? '' : ' (continued)'}.}`,
        i === 0 && `  \\label{tab:${label}}`,
        '  \\smallskip',
        `  \\${setting.size}`,
        setting.gap !== 6 && `  \\setlength{\\tabcolsep}{${setting.gap}pt}`,
        blocks.map((block) => tabular(block, page, setting)).join('\n\n  \\medskip\n'),
        '\\end{table}',
      ]).join('\n'),
    )
    .join('\n\n')
}

function layOut<Row>(columns: readonly PaperColumn<Row>[], rows: readonly Row[]): Layout<Row> {
  const optional = columns.filter((column) => column.optional)
  for (let dropped = 0; dropped <= optional.length; dropped++) {
    const gone = optional.slice(optional.length - dropped)
    const shown = columns.filter((column) => !gone.includes(column))
    const usable = dropped < optional.length ? settings.slice(0, 4) : settings
    const setting = usable.find((one) => widthOf(shown, rows, one) <= lineWidth)
    if (setting) return { setting, blocks: [shown] }
  }
  const smallest = settings[settings.length - 1] as Setting
  return {
    setting: smallest,
    blocks: splitColumns(
      columns.filter((column) => !column.optional),
      rows,
      smallest,
    ),
  }
}

function splitColumns<Row>(
  columns: readonly PaperColumn<Row>[],
  rows: readonly Row[],
  setting: Setting,
): PaperColumn<Row>[][] {
  const names = columns.filter(({ kind }) => kind === 'name')
  const blocks: PaperColumn<Row>[][] = []
  for (const column of columns.filter((one) => one.kind !== 'name')) {
    const last = blocks.at(-1)
    if (last && widthOf([...last, column], rows, setting) <= lineWidth) last.push(column)
    else blocks.push([...names, column])
  }
  return blocks.length > 0 ? blocks : [names]
}

function widthOf<Row>(columns: readonly PaperColumn<Row>[], rows: readonly Row[], setting: Setting): number {
  const widths = columns.map((column) => {
    const lines = [
      column.heading,
      column.unit,
      ...rows.flatMap((row) =>
        linesOf(column, row, setting).map((line, i) =>
          i > 0 && column.kind === 'name' ? `mm${line}` : line,
        ),
      ),
    ]
    return lines.reduce((most, line) => Math.max(most, textWidth(line, setting.points)), 0)
  })
  return widths.reduce((sum, width) => sum + width, 0) + 2 * setting.gap * (columns.length - 1)
}

/** Numbers are never broken. */
const linesOf = <Row>({ kind, cell }: PaperColumn<Row>, row: Row, { most }: Setting): string[] =>
  kind === 'number' ? [cell(row)] : breakText(cell(row), most)

function splitRows<Row>(
  rows: readonly Row[],
  blocks: readonly PaperColumn<Row>[][],
  setting: Setting,
): Row[][] {
  const pages: Row[][] = [[]]
  let lines = 0
  for (const row of rows) {
    const own = blocks.reduce(
      (sum, block) => sum + Math.max(...block.map((column) => linesOf(column, row, setting).length)),
      0,
    )
    if (lines > 0 && lines + own > mostLines) {
      pages.push([])
      lines = 0
    }
    pages.at(-1)?.push(row)
    lines += own
  }
  return pages
}

function tabular<Row>(columns: readonly PaperColumn<Row>[], rows: readonly Row[], setting: Setting): string {
  const units = columns.some(({ unit }) => unit !== '') ? [columns.map(({ unit }) => latexText(unit))] : []
  const heads = [columns.map(({ heading }) => (heading === 'p' ? '$p$' : latexText(heading))), ...units]
  const body = rows.flatMap((row) => rowLines(columns, row, setting))
  const widths = columns.map((_, i) => Math.max(...[...heads, ...body].map((cells) => cells[i]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `    ${cells
      .map((cell, i) =>
        columns[i]?.kind === 'number' ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0),
      )
      .join(' & ')} \\\\`
  return [
    `  \\begin{tabular}{@{}${columns.map(({ kind }) => (kind === 'number' ? 'r' : 'l')).join('')}@{}}`,
    '    \\toprule',
    ...heads.map(line),
    '    \\midrule',
    ...body.map(line),
    '    \\bottomrule',
    '  \\end{tabular}',
  ].join('\n')
}

function rowLines<Row>(columns: readonly PaperColumn<Row>[], row: Row, setting: Setting): string[][] {
  const cells = columns.map((column) => linesOf(column, row, setting))
  const height = Math.max(...cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) =>
    cells.map((lines, column) => {
      const text = lines[line] ?? ''
      const isName = columns[column]?.kind === 'name'
      const escaped = isName ? latexText(text) : latexNumbers(text)
      if (line > 0 && isName && text !== '') return `\\quad ${escaped}`
      // At the beginning of a row LaTeX would read these as arguments of the line before.
      return column === 0 && /^[[*]/.test(escaped) ? `{}${escaped}` : escaped
    }),
  )
}
