import { csvLines, csvText } from '../reports/formats/csv.ts'
import { renderTextTables } from '../reports/formats/text.ts'
import type { Cell } from '../reports/tables/table.ts'
import { escapeForTerminal } from '../reports/words/safe-text.ts'
import { schemaVersion } from '../schema/ledger/record.ts'
import type { FoundHistory } from './find-history.ts'
import type { Answer, QueryName } from './queries.ts'

/** How `bench history` prints an answer. */
export const formats = ['text', 'csv', 'json'] as const
/** One of these. */
export type Format = (typeof formats)[number]

interface RenderOptions {
  query: QueryName
  format: Format
  found: FoundHistory
  /** Characters of a line of text. */
  width: number | undefined
}

/** Renders the answer to a query. JSON also names the runs that count, and those that are left out with the reason. */
export function renderAnswer(
  { tables, rows }: Answer,
  { query, format, found, width }: RenderOptions,
): string {
  const { folder, leftOut } = found
  if (format === 'json') {
    const runs = found.runs.map(({ run }) => run)
    const data = { schemaVersion, kind: 'history', folder, query, runs, leftOut, rows }
    return `${escapeForTerminal(JSON.stringify(data, null, 2))}\n`
  }
  if (format === 'csv') {
    if (tables.length > 0)
      return csvText(tables.flatMap((table, i) => csvLines(table).slice(i === 0 ? 0 : 1)))
    const [first] = rows
    return first
      ? csvText([Object.keys(first), ...rows.map((row) => Object.values(row) as Cell['value'][])])
      : ''
  }
  if (tables.length === 0) return `nothing in ${folder} answers this query\n`
  const notes = tables.flatMap((table) => table.notes)
  return renderTextTables(tables, notes, width)
}
