import { stringify } from 'csv-stringify/sync'
import type { RenderOptions, Report } from '../report.ts'

/**
 * One line per method with raw numbers, units in the headings; with `tasks` one line per task instead, of the comparison
 * one line per pair, of its interactions one line each, of `sections` the first table. Unknown is empty. A label that a spreadsheet would take for a formula gets an apostrophe before it.
 */
export function renderCsv(report: Report, { tasks = false, part = 'whole' }: RenderOptions = {}): string {
  const compared = part === 'comparison' ? report.comparison : null
  const interactions = part === 'interactions' ? report.comparison?.interactions : undefined
  const measured = part === 'sections' ? report.sections[0]?.tables[0] : undefined
  const table = measured ?? interactions ?? compared?.pairs ?? (tasks ? report.tasks : report.methods)
  const columns = table.columns.filter((column) => column.audience !== 'people')
  const headings = columns.map(({ heading, unit }) => (unit ? `${heading} (${unit})` : heading))
  const rows = table.rows.map((row) => columns.map(({ key }) => row[key]?.value ?? null))
  return stringify([headings, ...rows], { escape_formulas: true, cast: { boolean: String } })
}
