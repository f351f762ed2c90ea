import { UserError } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'
import type { Table } from './table.ts'

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
