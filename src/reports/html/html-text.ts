import type { Column, Note, Table } from '../tables/table.ts'
import { isolateWords, safeText } from '../words/safe-text.ts'

/** Escapes text for elements and quoted attributes, so that no text of a task, method or model becomes markup. */
export function escapeHtml(text: string): string {
  return safeText(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Escapes text for the content of elements, and isolates words that are written from right to left. */
export function textHtml(text: string): string {
  return isolateWords(escapeHtml(text), '<bdi>', '</bdi>')
}

/** Escapes a name, which may be broken where its parts, such as its options, begin and end. */
export const breakableHtml = (name: string): string =>
  name
    .split(/(?<=[=:,/_-])|(?=\[)/)
    .map(textHtml)
    .join('<wbr>')

/** Returns JSON for a `<script type="application/json">`, which no text in it can end. */
export function inlineJson(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

/** Renders a table with a caption, headings that sort it if scripts run, and the first column as row headings. */
export function tableHtml({ title, columns: all, rows }: Table): string {
  const columns = all.filter((column) => column.audience !== 'data')
  const aligned = columns.map((column) => alignmentOf(column, rows))
  const headings = columns.map(({ heading, unit }, index) =>
    headingHtml({ heading, unit, className: aligned[index] as string }),
  )
  const lines = rows.map((row) => {
    const cells = columns.map(({ key }, index) => {
      const { text: words = '', href } = row[key] ?? {}
      const text =
        href === undefined ? textHtml(words) : `<a href="${escapeHtml(href)}">${textHtml(words)}</a>`
      return index === 0 ? `<th scope="row">${text}</th>` : `<td class="${aligned[index]}">${text}</td>`
    })
    return `<tr>${cells.join('')}</tr>`
  })
  return [
    '<div class="scroll" tabindex="0">',
    `<table class="sortable"><caption>${textHtml(title)}</caption>`,
    `<thead><tr>${headings.join('')}</tr></thead>`,
    `<tbody>\n${lines.join('\n')}\n</tbody></table></div>`,
  ].join('\n')
}

/** Renders the heading of a column, with a button that sorts by it. */
export function headingHtml({
  heading,
  unit,
  className,
}: {
  heading: string
  unit: string
  className: string
}): string {
  return `<th scope="col" class="${className}"><button type="button" class="sort">${textHtml(heading)}${unit ? ` <small>${textHtml(unit)}</small>` : ''}</button></th>`
}

/** Returns how a column is aligned: numbers to the right, as the column says; words to the left. */
export function alignmentOf({ key, align }: Column, rows: Table['rows']): Column['align'] {
  const texts = rows.map((row) => row[key]?.text ?? '')
  return align === 'right' &&
    texts.some((text) => /\p{L}/u.test(text)) &&
    !texts.some((text) => /\d/.test(text))
    ? 'left'
    : align
}

/** Renders notes folded away: what words and columns mean, and the facts of this run, each under its own heading. */
export function notesHtml(notes: readonly Note[]): string {
  return [
    foldedNotes(
      'What the words and columns mean',
      notes.filter(({ kind }) => kind === 'definition'),
    ),
    foldedNotes(
      'Facts of this run',
      notes.filter(({ kind }) => kind !== 'definition'),
    ),
  ].join('\n')
}

function foldedNotes(heading: string, notes: readonly Note[]): string {
  if (notes.length === 0) return ''
  const items = notes.map(({ text, commands = [] }) => {
    const codes = commands.map((command) => `<code>${escapeHtml(command)}</code>`).join(' and ')
    return `<li>${textHtml(text)}${codes ? ` ${codes}` : ''}</li>`
  })
  return `<details class="fold"><summary>${heading} <small>${notes.length}</small></summary>\n<ul class="notes">\n${items.join('\n')}\n</ul></details>`
}
