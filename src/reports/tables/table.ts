import { evidenceOf, type KindFacts } from '../../analysis/evidence.ts'
import { UserError } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'
import { safeLine } from '../words/safe-text.ts'
import type { PaperColumn } from './paper-columns.ts'

/** One column. `people` columns are in texts for people, `data` columns in files for programs, `all` in both, `paper` columns in papers alone. */
export interface Column {
  key: string
  heading: string
  /** Empty for none. */
  unit: string
  align: 'left' | 'right'
  audience: 'all' | 'people' | 'data' | 'paper'
  /** Columns that belong together; `label` columns name a row and are never left out. */
  group: string
  /** Whether the first screen has it, so that a table below that screen leaves it out. */
  isOnScreen?: boolean
}

/** What a row has in a column: its text for people, and its value for programs. */
export interface Cell {
  text: string
  value: string | number | boolean | null
  /** Of a page: where its text leads. */
  href?: string | undefined
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
  /** The same in a paper: an interval is two columns there. */
  paper?: readonly PaperColumn<Row>[]
}

/** Creates a table of these columns with one line per row. Control characters in texts become visible. */
export function createTable<Row>(
  title: string,
  all: readonly ColumnOf<Row>[],
  rows: readonly Row[],
  notes: Note[],
): Table {
  const columns = all.filter(({ audience }) => audience !== 'paper')
  return {
    title,
    columns: columns.map(({ cell: _, paper: __, ...column }) => ({
      ...column,
      heading: safeLine(column.heading),
    })),
    rows: rows.map((row) =>
      Object.fromEntries(
        columns.map((column) => {
          const { text, value, href } = column.cell(row)
          return [
            column.key,
            {
              ...{ text: safeLine(text), value: typeof value === 'string' ? safeLine(value) : value },
              ...(href !== undefined && { href }),
            },
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
  name:
    | 'coordination'
    | 'contextWindows'
    | 'errorFlow'
    | 'toolSavings'
    | 'judges'
    | 'mechanisms'
    | 'flips'
    | 'cascades'
    | 'routes'
    | 'bracket'
    | 'wordings'
  tables: Table[]
  notes: Note[]
  /** The raw data of the tables, for programs. */
  data: unknown
}

/** Returns a column for people, with what it is in a paper. */
export const textColumn = <Row>(
  key: string,
  [heading, unit]: readonly [string, string],
  group: string,
  text: (row: Row) => string,
  paper: readonly PaperColumn<Row>[] = [],
): ColumnOf<Row> => ({
  ...{ key, heading, unit, align: 'right', audience: 'people', group, paper },
  cell: (row) => ({ text: text(row), value: text(row) }),
})

/** Returns a column of labels, which is repeated if a table is split. */
export const labelColumn = <Row>(
  key: string,
  heading: string,
  text: (row: Row) => string,
  paper: readonly PaperColumn<Row>[] = [],
): ColumnOf<Row> => ({
  ...textColumn(key, [heading, ''], 'label', text, paper),
  align: 'left',
  audience: 'all',
})

/** Returns a column for programs: raw values; unknown ones are empty. */
export const dataColumn = <Row>(
  key: string,
  unit: string,
  value: (row: Row) => Cell['value'],
): ColumnOf<Row> => ({
  ...{ key, heading: key, unit, align: 'right', audience: 'data', group: 'data' },
  cell: (row) => ({ text: String(value(row) ?? ''), value: value(row) }),
})

/** Returns the column that marks simulated numbers, for programs; people read it in every title. */
export const simulatedColumn = <Row>(kind: KindFacts): ColumnOf<Row> => ({
  ...labelColumn('simulated', 'simulated', () => ''),
  audience: 'data',
  cell: () => ({ text: evidenceOf(kind).name, value: kind.simulated }),
})

/** Returns the column of faults that were injected on purpose; without any only for programs. */
export const faultsColumn = <Row>(faults: string | null): ColumnOf<Row> => ({
  ...labelColumn('faults', 'faults', () => ''),
  audience: faults === null ? 'data' : 'all',
  cell: () => ({ text: faults === null ? 'none' : 'injected', value: faults }),
})

/** Returns a column that a paper always has, and text only on a condition. */
export const inText = <Row>(condition: boolean, column: ColumnOf<Row>): ColumnOf<Row> =>
  condition ? column : { ...column, audience: 'paper' }

/** Returns the columns of a paper. */
export const paperColumns = <Row>(columns: readonly ColumnOf<Row>[]): PaperColumn<Row>[] =>
  columns.flatMap(({ paper = [] }) => paper)

/** Returns the columns with these keys, in the order of the keys. Throws `UserError` that names every unknown key. */
export function chooseColumns<Column extends { key: string }>(
  columns: readonly Column[],
  keys: readonly string[],
): Column[] {
  const known = [...new Set(columns.map(({ key }) => key))]
  const problems = keys
    .filter((key) => !known.includes(key))
    .map((key) => ({
      where: '--columns',
      what: `there is no column "${key}" in this table`,
      fix: [didYouMean(key, known, '"'), `Known: ${known.join(', ')}.`].filter(Boolean).join(' '),
    }))
  if (problems.length > 0) throw new UserError(problems)
  return keys.flatMap((key) => columns.filter((column) => column.key === key))
}

/** Returns a table with the chosen of its columns for people. */
export function selectColumns(table: Table, keys: readonly string[]): Table {
  const forPeople = table.columns.filter(({ audience }) => audience !== 'data')
  const named = forPeople.map((column) => ({ key: shortKey(column.key), column }))
  return { ...table, columns: chooseColumns(named, keys).map(({ column }) => column) }
}

/** Returns the key of a column for people as a person types it: `cost` for `cost_text`. */
const shortKey = (key: string) => key.replace(/(?:_interval)?_text$|_of_graded$/, '')
