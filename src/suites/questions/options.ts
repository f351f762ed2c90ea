import { isObject } from '../../text/is-object.ts'
import { cellText, valueAt } from './cell-text.ts'

/** The options of a question, with their labels if the data names some. */
export interface Options {
  texts: readonly string[]
  labels?: readonly string[]
}

/**
 * Returns the options of a row: one per column, or those of a single column, which has a list, a list in JSON, or a text with `|` or a
 * line break between them. `{ text, label }` is a list with labels. Empty columns at the end are no options.
 */
export function optionsOf(fields: Readonly<Record<string, unknown>>, columns: readonly string[]): Options {
  const [only, ...others] = columns
  if (only === undefined) return { texts: [] }
  if (others.length > 0)
    return { texts: dropEmptyEnd(columns.map((column) => textOf(valueAt(fields, column)))) }
  const value = valueAt(fields, only)
  const data = typeof value === 'string' ? (parsedList(value) ?? splitText(value)) : value
  if (isObject(data) && Array.isArray(data.text)) {
    const { text, label } = data
    return { texts: textsOf(text), ...(Array.isArray(label) && { labels: textsOf(label) }) }
  }
  return { texts: Array.isArray(data) ? textsOf(data) : [] }
}

function textOf(value: unknown): string {
  const cell = cellText(value)
  return 'text' in cell ? cell.text : ''
}

const textsOf = (values: unknown[]): string[] => values.map(textOf)

function dropEmptyEnd(texts: readonly string[]): string[] {
  const last = texts.findLastIndex((text) => text !== '')
  return texts.slice(0, last + 1)
}

const splitText = (text: string): string[] =>
  text.trim() === ''
    ? []
    : text
        .split(text.includes('|') ? '|' : /\r?\n/)
        .map((part) => part.trim())
        .filter((part) => part !== '')

function parsedList(text: string): unknown[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined
  try {
    const data: unknown = JSON.parse(text)
    return Array.isArray(data) ? data : undefined
  } catch {
    return undefined
  }
}
