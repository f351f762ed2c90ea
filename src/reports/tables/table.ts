import { safeLine } from '../words/safe-text.ts'

/** One heading. `people` columns stand in text to be read, `data` columns in files for programs, `all` in both. */
export interface Column {
  key: string
  heading: string
  /** Empty: none. */
  unit: string
  align: 'left' | 'right'
  audience: 'all' | 'people' | 'data'
  /** Columns of a group stay side by side where a table must be split; `label` columns are repeated. */
  group: string
}

/** One cell: as people read it, and its raw value in the column's unit. */
export interface Cell {
  text: string
  value: string | number | boolean | null
}

/** A footnote, with the commands that it names. */
export interface Note {
  text: string
  commands?: string[]
}

/** What every format renders: headings and cells stand here once. Texts hold no control characters. */
export interface Table {
  title: string
  columns: Column[]
  rows: Record<string, Cell>[]
  notes: Note[]
}

/** A column with the cell that it has in a row of type `Row`. */
export interface ColumnOf<Row> extends Column {
  cell(row: Row): Cell
}

/** A table of these columns with one line per row; all texts neutralised. */
export function createTable<Row>(
  title: string,
  columns: ColumnOf<Row>[],
  rows: readonly Row[],
  notes: Note[],
): Table {
  return {
    title,
    columns: columns.map(({ cell: _, ...column }) => ({ ...column, heading: safeLine(column.heading) })),
    rows: rows.map((row) =>
      Object.fromEntries(
        columns.map((column) => {
          const { text, value } = column.cell(row)
          return [
            column.key,
            { text: safeLine(text), value: typeof value === 'string' ? safeLine(value) : value },
          ]
        }),
      ),
    ),
    notes: notes.map((note) => ({
      text: safeLine(note.text),
      ...(note.commands && { commands: note.commands.map(safeLine) }),
    })),
  }
}

/** A part of a report beside methods and comparison. */
export interface Section {
  /** Of the field in JSON. */
  name: 'coordination' | 'errorFlow'
  tables: Table[]
  notes: Note[]
  /** What the tables were made from, for programs. */
  data: unknown
}
