import type { Note, Table } from '../tables/table.ts'
import { escapeHtml } from './html-text.ts'

/** Renders a table with a caption, headings that sort it if scripts run, and the first column as row headings. */
export function tableHtml({ title, columns: all, rows }: Table): string {
  const columns = all.filter((column) => column.audience !== 'data')
  const headings = columns.map(
    ({ heading, unit, align }) =>
      `<th scope="col" class="${align}"><button type="button" class="sort">${escapeHtml(heading)}${unit ? ` <small>${escapeHtml(unit)}</small>` : ''}</button></th>`,
  )
  const lines = rows.map((row) => {
    const cells = columns.map(({ key, align }, index) => {
      const text = escapeHtml(row[key]?.text ?? '')
      return index === 0 ? `<th scope="row">${text}</th>` : `<td class="${align}">${text}</td>`
    })
    return `<tr>${cells.join('')}</tr>`
  })
  return [
    '<div class="scroll" tabindex="0">',
    `<table class="sortable"><caption>${escapeHtml(title)}</caption>`,
    `<thead><tr>${headings.join('')}</tr></thead>`,
    `<tbody>\n${lines.join('\n')}\n</tbody></table></div>`,
  ].join('\n')
}

/** Renders notes as a list. */
export function notesHtml(notes: readonly Note[]): string {
  if (notes.length === 0) return ''
  const items = notes.map(({ text, commands = [] }) => {
    const codes = commands.map((command) => `<code>${escapeHtml(command)}</code>`).join(' and ')
    return `<li>${escapeHtml(text)}${codes ? ` ${codes}` : ''}</li>`
  })
  return `<ul class="notes">\n${items.join('\n')}\n</ul>`
}
