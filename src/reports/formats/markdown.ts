import type { Report, Shown } from '../report.ts'
import type { Note, Table } from '../tables/table.ts'
import { arranged } from './render-parts.ts'

/** GitHub tables with their notes as a list. */
export function renderMarkdown(report: Report, shown: Shown = {}): string {
  return arranged(report, shown, section)
}

function section(tables: readonly Table[], notes: readonly Note[]): string {
  return `${[...tables.map(table), notes.map(note).join('\n')].join('\n\n')}\n`
}

function table({ title, columns: all, rows }: Table): string {
  const columns = all.filter((column) => column.audience !== 'data')
  const headings = columns.map(({ heading, unit }) => escaped(unit ? `${heading} (${unit})` : heading))
  const rules = columns.map(({ align }) => (align === 'right' ? '---:' : ':---'))
  const cells = rows.map((row) => columns.map(({ key }) => escaped(row[key]?.text ?? '')))
  return [
    `**${escaped(title)}**`,
    '',
    ...[headings, rules, ...cells].map((line) => `| ${line.join(' | ')} |`),
  ].join('\n')
}

function note({ text, commands = [] }: Note): string {
  const list = commands.map(code).join(' and ')
  return `- ${escaped(text)}${list ? ` ${list}` : ''}`
}

/** Text that Markdown shows as it is, also inside a table. Underscores inside words and lone brackets need no help. */
export function escaped(text: string): string {
  const marked = text.replace(/[\\`*|~<>&]/g, '\\$&').replaceAll('](', ']\\(')
  // The classes of this one take a while to make, and most texts have no underscore.
  return marked.includes('_') ? marked.replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_') : marked
}

function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`
}
