import { parse } from 'csv-parse/sync'
import { type Problem, UserError } from '../../text/errors.ts'
import { readLines, type TextLine } from './read-lines.ts'

/** More columns are no table of questions. */
const mostColumns = 1000
/** Records that are parsed at once, in characters. */
const batchSize = 64 * 1024

interface CsvForm {
  /** The sign between two cells; by default the one of the header. */
  delimiter?: string | undefined
  /** Whether quotes stand for themselves. */
  noQuotes?: boolean
}

interface CsvTable {
  columns: readonly string[]
  delimiter: string
  rows: AsyncGenerator<CsvRow>
}
type CsvRow = { line: number } & ({ cells: readonly string[] } | { problem: Omit<Problem, 'where'> })

/**
 * Reads a CSV file, whose first line names its columns. Its delimiter is that of a line `sep=;`, else the sign that the header has
 * most often of comma, semicolon, tab and bar. Empty lines are skipped. Throws `UserError` like `readLines`, and for a header that
 * cannot be read.
 */
export async function readCsv(path: string, form: CsvForm = {}): Promise<CsvTable> {
  const lines = readLines(path)
  let first = await nextFilled(lines)
  const named = /^"?sep=(.)"?$/i.exec(first?.text.trim() ?? '')?.[1]
  if (named !== undefined) first = await nextFilled(lines)
  if (first === undefined)
    throw new UserError({ where: path, what: 'is empty', fix: 'Its first line names the columns.' })
  if (first.text.includes('\r'))
    throw new UserError({
      where: path,
      what: 'has the line endings of old Macs',
      fix: 'Save it with the line endings of Unix or Windows.',
    })
  const delimiter = form.delimiter ?? named ?? likelyDelimiter(first.text)
  const records = parseRecords(
    splitRecords(startingWith(first, lines), form.noQuotes === true),
    delimiter,
    form,
  )
  const header = (await records.next()).value as CsvRow
  const where = `${path}:${header.line}`
  if ('problem' in header) throw new UserError({ where, ...header.problem })
  if (header.cells.length > mostColumns) {
    const what = `has ${header.cells.length} columns, but at most ${mostColumns} are read`
    throw new UserError({ where, what, fix: 'Keep the columns that you need.' })
  }
  return { columns: header.cells.map((cell) => cell.trim()), delimiter, rows: records }
}

async function nextFilled(lines: AsyncGenerator<TextLine>): Promise<TextLine | undefined> {
  for (;;) {
    const { value, done } = await lines.next()
    if (done) return undefined
    if (value.text.trim() !== '') return value
  }
}

async function* startingWith(first: TextLine, rest: AsyncGenerator<TextLine>): AsyncGenerator<TextLine> {
  yield first
  yield* rest
}

function likelyDelimiter(header: string): string {
  const plain = header.replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map((sign) => ({ sign, count: plain.split(sign).length }))
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).sign
}

type WholeRecord = Extract<CsvRecord, { text: string }>

async function* parseRecords(
  records: AsyncGenerator<CsvRecord>,
  delimiter: string,
  { noQuotes }: CsvForm,
): AsyncGenerator<CsvRow> {
  const cellsOf = (text: string): string[][] =>
    parse(text, { delimiter, quote: noQuotes ? null : '"', relax_column_count: true, record_delimiter: '\n' })
  let batch: WholeRecord[] = []
  let size = 0
  for await (const record of records) {
    if ('problem' in record) {
      yield* parseBatch(batch, cellsOf)
      batch = []
      size = 0
      yield record
      continue
    }
    batch.push(record)
    size += record.text.length
    // The header alone first: whoever reads it decides whether to go on.
    if (size < batchSize && record.line > 2) continue
    yield* parseBatch(batch, cellsOf)
    batch = []
    size = 0
  }
  yield* parseBatch(batch, cellsOf)
}

/** Parses records together, which is faster. If one of them is malformed, each is parsed alone. */
function* parseBatch(
  batch: readonly WholeRecord[],
  cellsOf: (text: string) => string[][],
): Generator<CsvRow> {
  if (batch.length === 0) return
  try {
    const all = cellsOf(batch.map(({ text }) => text).join('\n'))
    if (all.length === batch.length) {
      for (const [i, cells] of all.entries()) yield { line: (batch[i] as WholeRecord).line, cells }
      return
    }
  } catch {
    // The malformed record is named below.
  }
  for (const record of batch) {
    const { line } = record
    const cells = cellsOrProblem(record, cellsOf)
    yield Array.isArray(cells) ? { line, cells } : { line, problem: cells }
  }
}

function cellsOrProblem(
  { line, last, text }: WholeRecord,
  cellsOf: (text: string) => string[][],
): string[] | Omit<Problem, 'where'> {
  try {
    return cellsOf(text)[0] ?? []
  } catch (error) {
    return quoteProblem(
      error as { column?: unknown },
      last > line ? `; by its quotes the row ends in line ${last}` : '',
    )
  }
}

const quoteProblem = ({ column }: { column?: unknown }, more: string): Omit<Problem, 'where'> => ({
  what: `has a quote inside field ${typeof column === 'number' ? column + 1 : 1}${more}`,
  fix: 'Put the field in quotes and write each quote in it twice, or write ?quotes=none if quotes are ordinary characters.',
})

/** A longer record is no question, but a quote that is never closed, or an attack. */
const longestRecord = 4 * 1024 * 1024
const mostLines = 10_000

/** The text of a record with its first and last line, or why it cannot be one. */
type CsvRecord = { line: number } & ({ last: number; text: string } | { problem: Omit<Problem, 'where'> })

/**
 * Joins the lines of a CSV file to records: a quoted field may contain line breaks, which become `\n`. A quote that is never closed is
 * a problem of its line alone. Empty lines are skipped.
 */
async function* splitRecords(lines: AsyncIterable<TextLine>, noQuotes: boolean): AsyncGenerator<CsvRecord> {
  let open: TextLine[] = []
  let size = 0
  for await (const line of lines) {
    const { number, text } = line
    if (open.length > 0 && (size + text.length > longestRecord || open.length >= mostLines)) {
      yield* splitUnclosed(open)
      open = []
    }
    if (open.length === 0) {
      size = 0
      if (text.trim() === '') continue
      if (text.length > longestRecord) {
        yield { line: number, problem: tooLong }
        continue
      }
    }
    const isEven = noQuotes || quotesIn(text) % 2 === 0
    const closes = isEven === (open.length === 0)
    open.push(line)
    size += text.length
    if (!closes) continue
    yield recordOf(open)
    open = []
  }
  yield* splitUnclosed(open)
}

function* splitUnclosed(open: readonly TextLine[]): Generator<CsvRecord> {
  const [first, ...rest] = open
  if (first === undefined) return
  yield { line: first.number, problem: unclosed }
  for (const line of rest) if (line.text.trim() !== '') yield recordOf([line])
}

const recordOf = (lines: readonly TextLine[]) => ({
  line: (lines[0] as TextLine).number,
  last: (lines.at(-1) as TextLine).number,
  text: lines.map(({ text }) => text).join('\n'),
})

function quotesIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count++
  return count
}

const unclosed = {
  what: 'has a quote that is never closed',
  fix: 'Close it, or write ?quotes=none if quotes are ordinary characters.',
}
const tooLong = {
  what: `has more than ${longestRecord / 1024 / 1024} MiB`,
  fix: 'Give a table with one question per row.',
}
