import { latexName, latexText } from './latex-text.ts'

/** One column of a LaTeX table: names are left-aligned, words right-aligned, numbers aligned at the point. */
export interface LatexColumn<Row> {
  heading: string
  unit: string
  kind: 'name' | 'words' | 'number'
  /** Returns the digits of a number, or words if there is none. */
  cell(row: Row): string
}

/** Renders a booktabs tabular, scaled down if it is wider than the line. */
export function latexTabular<Row>(columns: readonly LatexColumn<Row>[], rows: readonly Row[]): string {
  const heads = (of: (column: LatexColumn<Row>) => string) =>
    `${columns.map((column) => `{${latexText(of(column))}}`).join(' & ')} \\\\`
  return [
    '\\begin{adjustbox}{max width=\\linewidth}',
    `\\begin{tabular}{@{}${columns.map((column) => columnType(column, rows)).join('')}@{}}`,
    '\\toprule',
    heads(({ heading }) => heading),
    heads(({ unit }) => unit),
    '\\midrule',
    ...rows.map((row) => `${columns.map((column) => cellText(column, row)).join(' & ')} \\\\`),
    '\\bottomrule',
    '\\end{tabular}',
    '\\end{adjustbox}',
  ].join('\n')
}

const digits = /^-?\d+(?:\.\d+)?$/

function columnType<Row>({ kind, cell }: LatexColumn<Row>, rows: readonly Row[]): string {
  if (kind === 'name') return '>{\\raggedright\\arraybackslash}p{11em}'
  if (kind === 'words') return 'r'
  const numbers = rows.map(cell).filter((text) => digits.test(text))
  const most = (part: (text: string) => number) => numbers.reduce((m, text) => Math.max(m, part(text)), 0)
  const whole = most((text) => text.replace(/^-|\..*$/g, '').length)
  const decimals = most((text) => text.split('.')[1]?.length ?? 0)
  const sign = numbers.some((text) => text.startsWith('-')) ? '-' : ''
  return `S[table-format=${sign}${Math.max(1, whole)}.${decimals}]`
}

function cellText<Row>({ kind, cell }: LatexColumn<Row>, row: Row): string {
  const text = cell(row)
  if (kind === 'number' && digits.test(text)) return text
  return `{${kind === 'name' ? latexName(text) : latexText(text)}}`
}
