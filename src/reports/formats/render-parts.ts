import type { RenderOptions, Report } from '../report.ts'
import type { Note, Table } from '../tables/table.ts'

/** Renders the parts of a report that the options name, in order. `render` renders tables and their notes. */
export function renderParts(
  { methods, tasks: byTask, comparison, sections }: Report,
  { tasks = false, part = 'whole', definitions = false }: RenderOptions,
  render: (tables: readonly Table[], notes: readonly Note[]) => string,
): string {
  const renderSection = (tables: readonly Table[], notes: readonly Note[]) =>
    render(
      tables,
      notes.filter(({ kind }) => definitions || kind !== 'definition'),
    )
  const measured = sections.map((one) => renderSection(one.tables, one.notes)).join('\n')
  if (part === 'sections') return measured
  const own = renderSection([methods, ...(tasks ? [byTask] : [])], methods.notes)
  const more = part === 'whole' && measured !== '' ? `\n${measured}` : ''
  if (part === 'interactions' && comparison?.interactions)
    return renderSection([comparison.interactions], comparison.interactions.notes)
  if (!comparison) return `${own}${more}`
  const { pairs, notes, details } = comparison
  const tables = [...comparison.tables, ...(definitions ? details : [])]
  const compared = part === 'short' ? renderSection([pairs], pairs.notes) : renderSection(tables, notes)
  return part === 'comparison' ? compared : `${own}\n${compared}${more}`
}
