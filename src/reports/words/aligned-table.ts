import { safeLine } from './safe-text.ts'

/** A longer cell makes its own row wider, not the column. */
const widestColumn = 60

/** Aligns the cells of each column, and leaves out columns without any text. `right` are columns of numbers. */
export function alignedTable<Column extends string>(
  headings: Readonly<Record<Column, string>>,
  rows: readonly Readonly<Record<Column, string>>[],
  right: readonly Column[] = [],
): string[] {
  const shown = (Object.keys(headings) as Column[]).filter((key) => rows.some((row) => row[key] !== ''))
  const safe = [headings, ...rows].map((row) => shown.map((key) => safeLine(row[key])))
  const widths = shown.map((_, i) =>
    safe.reduce((width, cells) => {
      const { length = 0 } = cells[i] ?? ''
      return length > widestColumn ? width : Math.max(width, length)
    }, 0),
  )
  const aligned = (cell: string, i: number) => {
    const key = shown[i]
    return key !== undefined && right.includes(key)
      ? cell.padStart(widths[i] ?? 0)
      : cell.padEnd(widths[i] ?? 0)
  }
  return safe.map((cells) => `  ${cells.map(aligned).join('  ')}`.trimEnd())
}
