import { safeLine } from '../words/safe-text.ts'

/** One column. `people` columns are in texts for people, `data` columns in files for programs, `all` in both. */
export interface Column {
  key: string
  heading: string
  /** Empty for none. */
  unit: string
  align: 'left' | 'right'
  audience: 'all' | 'people' | 'data'
  /** Columns that belong together; `label` columns name a row and are never left out. */
  group: string
  /** Whether the first screen has it, so that a table below that screen leaves it out. */
  isOnScreen?: boolean
}

/** One cell: its text for people, and its raw value in the unit of the column. */
export interface Cell {
  text: string
  value: string | number | boolean | null
}

/** A note below a table, with the commands that it names. */
export interface Note {
  text: string
  /** What a word or column means, or how it is computed: shown only on request. Absent: a fact about this run or a warning. */
  kind?: 'definition'
  commands?: string[]
}

/** A table that every format can render. Its texts hold no control characters. */
export interface Table {
  title: string
  columns: Column[]
  rows: Record<string, Cell>[]
  notes: Note[]
  /** Columns that do not fit into a line of text stand in a further block with the labels; absent: they are left out. */
  isSplit?: boolean
}

/** A column with a function for its cell in a row of type `Row`. */
export interface ColumnOf<Row> extends Column {
  cell(row: Row): Cell
}

/** Creates a table of these columns with one line per row. Control characters in texts become visible. */
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
      ...(note.kind && { kind: note.kind }),
      ...(note.commands && { commands: note.commands.map(safeLine) }),
    })),
  }
}

/** A section of a report besides methods and comparison. */
export interface Section {
  /** Name of the section's field in JSON. */
  name: 'coordination' | 'contextWindows' | 'errorFlow' | 'toolSavings' | 'judges'
  tables: Table[]
  notes: Note[]
  /** The raw data of the tables, for programs. */
  data: unknown
}
