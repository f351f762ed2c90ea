import type { Problem } from '../../text/errors.ts'
import { isObject } from '../../text/is-object.ts'
import { shorten } from '../../text/shorten.ts'
import { Doubt, parseExactJson } from '../files/read-json-lines.ts'
import { type Given, mostOf } from './column-finder.ts'
import { graderNames, nearGrader, parseGrader, type RowGrader } from './settings.ts'

/** Reads the cells of one row, and collects what is wrong with them. */
export interface Cells {
  problems: Problem[]
  value(column: string): unknown
  /** The text of a column; empty if it is absent or no text. */
  text(column: string | undefined): string
  /** The texts of values that a column has. One that is no text is empty. */
  texts(column: string, values: readonly unknown[]): string[]
  /** The texts of a column that may have a list. An empty one is a problem. */
  required(column: string): string[]
  texted(given: Given<string> | undefined): string | undefined
  number(name: keyof typeof mostOf, given: Given<number> | undefined): number | undefined
  grader(given: Given<RowGrader> | undefined): RowGrader | undefined
  /** A value that may be a list, as it stands in the data or in the parameter. */
  raw(given: Given<string> | undefined): unknown
  /** Adds a problem of a column. */
  report(column: string, what: string, fix: string): void
}

const meanings = {
  tolerance: 'distance by which a number may be off',
  difficulty: 'difficulty of the task',
  pass: 'least score that passes',
} as const

/** Returns a reader of a row's cells. `where`: the place of the row. */
export function readCells(where: string, fields: Readonly<Record<string, unknown>>): Cells {
  const problems: Problem[] = []
  const report = (column: string, what: string, fix?: string) =>
    problems.push({ where: `${where} ${column}`, what, ...(fix !== undefined && { fix }) })
  const value = (column: string) => valueAt(fields, column)
  const textOf = (column: string, of: unknown): string | undefined => {
    const cell = cellText(of)
    if ('text' in cell) return cell.text
    report(column, cell.what, cell.fix)
    return undefined
  }
  const text = (column: string | undefined) =>
    column === undefined ? '' : (textOf(column, value(column)) ?? '')
  const given = <Value>(
    from: Given<Value> | undefined,
    parse: (text: string, column: string) => Value | undefined,
  ) => {
    if (from === undefined || 'value' in from) return from?.value
    const cell = text(from.column)
    return cell === '' ? undefined : parse(cell, from.column)
  }
  return {
    problems,
    value,
    text,
    texts: (column, values) => values.map((one) => textOf(column, one) ?? ''),
    required(column) {
      const all = value(column)
      const list = Array.isArray(all) && all.length > 0 ? all : [all]
      return list.map((one) => {
        const found = textOf(column, one)
        if (found === '')
          report(column, one === undefined ? 'is missing' : 'is empty', 'Fill it, or leave the row out.')
        return found ?? ''
      })
    },
    texted: (from) => given(from, (cell) => cell),
    number: (name, from) =>
      given(from, (cell, column) => {
        const found = Number(cell)
        if (found >= 0 && found <= mostOf[name]) return found
        const range = mostOf[name] === 1 ? 'from 0 to 1' : 'of at least 0'
        report(column, `is not a number ${range}: ${shorten(cell, 40)}`, `It is the ${meanings[name]}.`)
        return undefined
      }),
    grader: (from) =>
      given(from, (cell, column) => {
        const found = parseGrader(cell)
        if (found === undefined)
          report(
            column,
            `is not a grader: ${shorten(cell, 40)}`,
            nearGrader(cell) ?? `Write ${graderNames}; or ?grader=auto if the column says something else.`,
          )
        return found
      }),
    raw: (from) => (from === undefined ? undefined : 'value' in from ? from.value : value(from.column)),
    report,
  }
}

type CellText = { text: string } | { what: string; fix: string }

function cellText(value: unknown): CellText {
  if (value === undefined || value === null) return { text: '' }
  if (value instanceof Doubt) return { what: value.what, fix: value.fix }
  if (typeof value === 'object')
    return {
      what: Array.isArray(value) ? 'is a list, not a text' : 'is an object, not a text',
      fix: 'Give a text; a field inside it is named as in ?question=data.text.',
    }
  const text = String(value).trim()
  // Neither survives in a text file.
  if (/[\0\p{Cs}]/u.test(text))
    return {
      what: 'has a character that no text file can hold',
      fix: 'Remove zero bytes and halves of characters.',
    }
  return { text }
}

function valueAt(fields: Readonly<Record<string, unknown>>, column: string): unknown {
  if (Object.hasOwn(fields, column)) return fields[column]
  return column
    .split('.')
    .reduce<unknown>(
      (inner, key) =>
        inner instanceof Doubt
          ? inner
          : typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
            ? (inner as Record<string, unknown>)[key]
            : undefined,
      fields,
    )
}

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

/** Returns the list that a text is in JSON; undefined if it is none. */
export function parsedList(text: string): unknown[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined
  const read = parseExactJson(text)
  return 'data' in read && Array.isArray(read.data) ? read.data : undefined
}
