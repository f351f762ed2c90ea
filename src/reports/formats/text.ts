import Table from 'cli-table3'
import type { RenderOptions, Report } from '../report.ts'
import type { Column, Note, Table as ReportTable } from '../tables/table.ts'
import { renderParts } from './render-parts.ts'

/** Widest line of a table, in characters. Only a single group of columns may be wider. */
const lineWidth = 100
const longestLabel = 40
const gap = 2

/** Renders plain aligned columns for terminals and logs. A wide table is split into blocks that repeat its labels. */
export function renderText(report: Report, shown: RenderOptions = {}): string {
  return renderParts(report, shown, renderTextTables)
}

/** Renders tables and their notes as aligned columns. */
export function renderTextTables(tables: readonly ReportTable[], notes: readonly Note[]): string {
  const parts = tables.flatMap((table) => [`${table.title}\n`, ...splitIntoBlocks(table)])
  return `${parts.join('\n')}\n${notes.map(noteText).join('\n')}\n`
}

function splitIntoBlocks(table: ReportTable): string[] {
  const columns = table.columns.filter((column) => column.audience !== 'data')
  const labels = columns.filter((column) => column.group === 'label')
  const groups = [...new Set(columns.map((column) => column.group))].filter((group) => group !== 'label')
  const chosen: Column[][] = []
  for (const group of groups) {
    const wanted = columns.filter((column) => column.group === group)
    const last = chosen.at(-1)
    const together = last && [...last, ...wanted]
    if (together && widthOf(table, [...labels, ...together]) <= lineWidth) chosen.splice(-1, 1, together)
    else chosen.push(wanted)
  }
  return chosen.map((block) => `${renderLines(table, [...labels, ...block]).join('\n')}\n`)
}

function widthOf(table: ReportTable, columns: readonly Column[]): number {
  return columns.reduce((width, column) => width + headWidth(column, table) + gap, -gap)
}

function renderLines(table: ReportTable, columns: readonly Column[]): string[] {
  const units = columns.some((column) => column.unit !== '')
  const rendered = new Table({
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap, compact: true },
    colAligns: columns.map((column) => column.align),
  })
  rendered.push(
    columns.map((column) => wrapLabel(column.heading)),
    ...(units ? [columns.map((column) => column.unit)] : []),
    columns.map((column) => '-'.repeat(headWidth(column, table))),
    ...table.rows.map((row) => columns.map((column) => wrapLabel(row[column.key]?.text ?? ''))),
  )
  return rendered
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
}

function headWidth(column: Column, table: ReportTable): number {
  const texts = [column.heading, column.unit, ...table.rows.map((row) => row[column.key]?.text ?? '')]
  return texts.reduce((width, text) => Math.max(width, Math.min([...text].length, longestLabel)), 1)
}

// Long labels wrap: if they were cut, two methods could look alike.
function wrapLabel(text: string): string {
  const characters = [...text]
  const rows = Math.ceil(characters.length / longestLabel)
  return Array.from({ length: rows }, (_, row) =>
    characters.slice(row * longestLabel, (row + 1) * longestLabel).join(''),
  ).join('\n')
}

function noteText({ text, commands = [] }: Note): string {
  const broken = wrapWords(text, lineWidth - 2).join('\n  ')
  return [`- ${broken}`, ...commands.map((command) => `    ${command}`)].join('\n')
}

function wrapWords(text: string, width: number): string[] {
  const rows: string[] = []
  let row = ''
  for (const word of text.split(' ')) {
    if (row !== '' && row.length + 1 + word.length > width) {
      rows.push(row)
      row = word
    } else row = row === '' ? word : `${row} ${word}`
  }
  return [...rows, row]
}

const noBorders = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '' },
}
