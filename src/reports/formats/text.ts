import { wrapWords } from '../../text/wrap-words.ts'
import type { RenderOptions, Report } from '../report.ts'
import type { Note, Table } from '../tables/table.ts'
import { commandLines } from './command-lines.ts'
import { renderParts } from './render-parts.ts'
import { renderScreenText } from './screen-text.ts'
import { renderTextTable } from './text-table.ts'

/** Width of a line where no terminal tells its own, so that logs stay the same. */
const usualWidth = 100

/** Renders plain aligned columns for terminals and logs. No line is wider than `width`. */
export function renderText(report: Report, shown: RenderOptions = {}): string {
  const { width = usualWidth } = shown
  return renderParts(report, shown, {
    screen: (screen) => renderScreenText(screen, { width, isAlone: shown.part === 'short' }),
    section: (tables, notes) => renderTextTables(tables, notes, width),
  })
}

/** Renders tables and their notes as aligned columns of at most `width` characters a line. */
export function renderTextTables(
  tables: readonly Table[],
  notes: readonly Note[],
  width = usualWidth,
): string {
  const listed = notes.flatMap((note) => noteLines(note, width)).join('\n')
  const parts = [...tables.map((table) => renderTextTable(table, width).join('\n')), listed]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function noteLines({ text, commands = [] }: Note, width: number): string[] {
  const lines = wrapWords(text, width - 2).map((line, i) => `${i === 0 ? '- ' : '  '}${line}`)
  return [...lines, ...commands.flatMap((command) => commandLines(command, width, '    '))]
}
