import { isObject } from '../../text/is-object.ts'
import { parseExactJson } from '../files/exact-json.ts'
import type { Cells } from './cells.ts'

/** The options of a question, with their labels if the data names some. */
export interface Options {
  texts: readonly string[]
  labels?: readonly string[]
}

/**
 * Returns the options of a row: one per column, or those of a single column, which has a list, a list in JSON, or a text with `|` or a
 * line break between them. `{ text, label }` and `{ A, B, … }` are lists with labels. Empty columns at the end are no options.
 */
export function optionsOf({ value, text, texts }: Cells, columns: readonly string[]): Options {
  const [only, ...others] = columns
  if (only === undefined) return { texts: [] }
  if (others.length > 0) return { texts: dropEmptyEnd(columns.map(text)) }
  const cell = value(only)
  const data = typeof cell === 'string' ? (parsedList(cell) ?? splitText(cell)) : cell
  if (Array.isArray(data)) return { texts: texts(only, data) }
  if (!isObject(data)) return { texts: [] }
  const { text: list, label } = data
  if (Array.isArray(list))
    return { texts: texts(only, list), ...(Array.isArray(label) && { labels: texts(only, label) }) }
  const labels = Object.keys(data)
  if (labels.length > 1 && labels.every((one) => /^[A-Za-z0-9]$/.test(one)))
    return { texts: texts(only, Object.values(data)), labels }
  // It is no text, which is reported.
  return { texts: [text(only)] }
}

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
  const read = parseExactJson(text)
  return 'data' in read && Array.isArray(read.data) ? read.data : undefined
}
