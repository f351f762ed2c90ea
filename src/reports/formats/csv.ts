import { stringify } from 'csv-stringify/sync'
import { flipsTable } from '../flips/data-table.ts'
import type { RenderOptions, Report } from '../report.ts'
import { type Cell, chooseColumns, type Table } from '../tables/table.ts'
import { amendmentsText } from '../words/amendments-text.ts'

const amendedHeading = 'changed during the run'

/**
 * Renders raw numbers with units in the headings: one line per method; with `tasks` one line per task; for the comparison one
 * line per pair, for interactions one line each, for `sections` the first table; for `flips` one line per task that changed sides. Unknown values are empty. A label that a
 * spreadsheet would read as a formula gets a leading apostrophe. `columns` chooses among them. If the plan was changed during the run, a last column says how.
 */
export function renderCsv(
  report: Report,
  { tasks = false, part = 'whole', columns: chosen }: RenderOptions = {},
): string {
  const compared = part === 'comparison' ? report.comparison : null
  const interactions = part === 'interactions' ? report.comparison?.interactions : undefined
  const properties = part === 'properties' ? report.comparison?.properties : undefined
  const measured = part === 'sections' ? report.sections[0]?.tables[0] : undefined
  const flips = part === 'flips' && report.flips ? flipsTable(report.flips.data, report.summary) : undefined
  const chosenPart = measured ?? interactions ?? properties ?? flips ?? compared?.pairs
  const table = chosenPart ?? (tasks ? report.tasks : report.methods)
  const lines = csvLines(table, chosen)
  const amended = amendmentsText(report.amendments)
  if (amended !== null)
    for (const [place, row] of lines.entries()) row.push(place === 0 ? amendedHeading : amended)
  return csvText(lines)
}

/** Returns the headings of a table for programs, and its rows with raw values; `chosen` columns alone. */
export function csvLines({ columns: all, rows }: Table, chosen?: readonly string[]): Cell['value'][][] {
  const raw = all.filter((column) => column.audience !== 'people')
  const columns = chosen ? chooseColumns(raw, chosen) : raw
  const headings = columns.map(({ heading, unit }) => (unit ? `${heading} (${unit})` : heading))
  return [headings, ...rows.map((row) => columns.map(({ key }) => row[key]?.value ?? null))]
}

/** Renders lines as CSV. A text that a spreadsheet would read as a formula gets a leading apostrophe. */
export const csvText = (lines: readonly (readonly Cell['value'][])[]): string =>
  stringify([...lines], { escape_formulas: true, cast: { boolean: String } })
