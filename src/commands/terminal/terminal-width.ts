import { alignedTable } from '../../reports/words/aligned-table.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { displayWidth } from '../../text/display-width.ts'
import { wrapWords } from '../../text/wrap-words.ts'

/** Columns of a line where no terminal tells them, so that logs stay the same. */
const usualWidth = 100

/** Returns the columns of a line: those of the terminal, else of the variable COLUMNS, else 100. */
export function terminalWidth(stream: { columns?: number } = process.stdout): number {
  const { columns } = stream
  const given = columns !== undefined && columns > 0 ? columns : Number(process.env.COLUMNS)
  return Number.isInteger(given) && given > 0 ? given : usualWidth
}

/**
 * Aligns rows in lines of at most `width` columns. If they do not fit, the cell of the column `name` gets a line of its own above
 * the other cells, and what is still too wide is one line for each cell. All other columns are numbers.
 */
export function fittingTable<Column extends string>(
  width: number,
  headings: Readonly<Record<Column, string>>,
  rows: readonly Readonly<Record<Column, string>>[],
  name: NoInfer<Column>,
): string[] {
  const keys = Object.keys(headings) as Column[]
  const numbers = keys.filter((key) => key !== name)
  const whole = alignedTable(headings, rows, numbers)
  if (fits(whole, width)) return whole
  const without = ({ [name]: _, ...rest }: Readonly<Record<Column, string>>) =>
    rest as Readonly<Record<string, string>>
  const [head = '', ...lines] = alignedTable(without(headings), rows.map(without), numbers)
  if (fits([head, ...lines], width))
    return [
      ...nameLines(headings[name], width),
      head,
      ...rows.flatMap((row, i) => [...nameLines(row[name], width), lines[i] ?? '']),
    ]
  return rows.flatMap((row) => [
    ...nameLines(row[name], width),
    ...numbers.flatMap((key) =>
      row[key] === '' ? [] : wrapWords(`- ${safeLine(`${headings[key]}: ${row[key]}`)}`, width),
    ),
  ])
}

const nameLines = (name: string, width: number) => wrapWords(safeLine(name), width)

const fits = (lines: readonly string[], width: number) => lines.every((line) => displayWidth(line) <= width)
