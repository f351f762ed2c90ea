import type { RenderOptions, Report } from '../report.ts'
import type { Note, Table } from '../tables/table.ts'
import { renderParts } from './render-parts.ts'

/** Renders GitHub tables with their notes as a list. */
export function renderMarkdown(report: Report, shown: RenderOptions = {}): string {
  return renderParts(report, shown, renderSection)
}

function renderSection(tables: readonly Table[], notes: readonly Note[]): string {
  return `${[...tables.map(renderTable), notes.map(renderNote).join('\n')].join('\n\n')}\n`
}

function renderTable({ title, columns: all, rows }: Table): string {
  const columns = all.filter((column) => column.audience !== 'data')
  const headings = columns.map(({ heading, unit }) => escapeMarkdown(unit ? `${heading} (${unit})` : heading))
  const rules = columns.map(({ align }) => (align === 'right' ? '---:' : ':---'))
  const cells = rows.map((row) => columns.map(({ key }) => escapeMarkdown(row[key]?.text ?? '')))
  return [
    `**${escapeMarkdown(title)}**`,
    '',
    ...[headings, rules, ...cells].map((line) => `| ${line.join(' | ')} |`),
  ].join('\n')
}

function renderNote({ text, commands = [] }: Note): string {
  const list = commands.map(renderCode).join(' and ')
  return `- ${escapeMarkdown(text)}${list ? ` ${list}` : ''}`
}

/** Escapes text for Markdown, also inside a table. Underscores inside words and lone brackets need no escape. */
export function escapeMarkdown(text: string): string {
  const marked = text.replace(/[\\`*|~<>&]/g, '\\$&').replaceAll('](', ']\\(')
  // This expression is slow to compile, and most texts have no underscore.
  return marked.includes('_') ? marked.replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_') : marked
}

function renderCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`
}
