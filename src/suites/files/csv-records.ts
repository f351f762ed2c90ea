import type { Problem } from '../../text/errors.ts'
import type { TextLine } from './read-lines.ts'

/** A longer record is no question, but a quote that is never closed, or an attack. */
const longestRecord = 4 * 1024 * 1024
const mostLines = 10_000

/** The text of a record with its first and last line, or why it cannot be one. */
export type CsvRecord = { line: number } & (
  | { last: number; text: string }
  | { problem: Omit<Problem, 'where'> }
)

/**
 * Joins the lines of a CSV file to records: a quoted field may contain line breaks, which become `\n`. A quote that is never closed is
 * a problem of its line alone. Empty lines are skipped.
 */
export async function* splitRecords(
  lines: AsyncIterable<TextLine>,
  noQuotes: boolean,
): AsyncGenerator<CsvRecord> {
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

/** Splits lines of which the first has a quote that is not closed: the others have none, or pairs. */
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
  fix: 'Close it, or write ?quotes=none if quotes are plain signs.',
}
const tooLong = {
  what: `has more than ${longestRecord / 1024 / 1024} MiB`,
  fix: 'Give a table with one question per row.',
}
