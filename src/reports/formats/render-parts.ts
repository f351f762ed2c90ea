import type { Report, Shown } from '../report.ts'
import type { Note, Table } from '../tables/table.ts'

/** What of a report stands in a text to be read, in its order; `section` writes down tables with the notes of all of them. */
export function arranged(
  { methods, tasks: byTask, comparison, sections }: Report,
  { tasks = false, part = 'whole' }: Shown,
  section: (tables: readonly Table[], notes: readonly Note[]) => string,
): string {
  const measured = sections.map((one) => section(one.tables, one.notes)).join('\n')
  if (part === 'sections') return measured
  const own = section([methods, ...(tasks ? [byTask] : [])], methods.notes)
  const more = part === 'whole' && measured !== '' ? `\n${measured}` : ''
  if (part === 'interactions' && comparison?.interactions)
    return section([comparison.interactions], comparison.interactions.notes)
  if (!comparison) return `${own}${more}`
  const { tables, pairs, notes } = comparison
  const compared = part === 'short' ? section([pairs], pairs.notes) : section(tables, notes)
  return part === 'comparison' ? compared : `${own}\n${compared}${more}`
}
