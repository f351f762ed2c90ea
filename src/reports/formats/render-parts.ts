import type { RenderOptions, Report } from '../report.ts'
import { selectColumns } from '../tables/choose-columns.ts'
import type { Note, Table } from '../tables/table.ts'

/** Renders the parts of a report that the options name, in order. `renderSection` renders tables and their notes. */
export function renderParts(
  { methods, tasks: byTask, comparison, sections }: Report,
  { tasks = false, part = 'whole', columns }: RenderOptions,
  renderSection: (tables: readonly Table[], notes: readonly Note[]) => string,
): string {
  if (columns) {
    const table = part === 'comparison' && comparison ? comparison.pairs : methods
    return renderSection([selectColumns(table, columns)], table.notes)
  }
  const measured = sections.map((one) => renderSection(one.tables, one.notes)).join('\n')
  if (part === 'sections') return measured
  const own = renderSection([methods, ...(tasks ? [byTask] : [])], methods.notes)
  const more = part === 'whole' && measured !== '' ? `\n${measured}` : ''
  if (part === 'interactions' && comparison?.interactions)
    return renderSection([comparison.interactions], comparison.interactions.notes)
  if (!comparison) return `${own}${more}`
  const { tables, pairs, notes } = comparison
  const compared = part === 'short' ? renderSection([pairs], pairs.notes) : renderSection(tables, notes)
  return part === 'comparison' ? compared : `${own}\n${compared}${more}`
}
