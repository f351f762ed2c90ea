import { readJsonObjects } from '../files/read-json-lines.ts'
import type { Importer, SuiteItem } from '../suite.ts'
import { type Row, readQuestions } from './read-questions.ts'
import { questionParameters } from './settings.ts'

/** Rows whose fields are the columns: later ones may lack some. */
const firstRows = 20
/** Lines after which a file without an object is given up. */
const mostBroken = 200

/** Questions and answers as JSONL: one object a line. */
export const jsonl: Importer = {
  name: 'jsonl',
  summary: 'questions as JSONL: one object per line with a field for the question and one for the answer',
  parameters: questionParameters,
  recognises: (sample) =>
    sample.kind === 'file' && sample.fields.length > 0 && /^\s*\{[^\n]*\}\s*(\n|$)/.test(sample.text)
      ? 'possible'
      : undefined,
  async *read(source): AsyncGenerator<SuiteItem> {
    const rows = readRows(source.path)
    const first = await readFirst(rows)
    const names = new Set(first.flatMap((row) => ('fields' in row ? Object.keys(row.fields) : [])))
    if (names.size > 0)
      yield* readQuestions(source, { names: [...names], notes: [], rows: join(first, rows) })
    else for (const row of first) if ('problems' in row) yield row
  },
}

/** Reads the first rows for the names of the fields, at least until one is an object. The others are read with their tasks. */
async function readFirst(rows: AsyncGenerator<Row>): Promise<Row[]> {
  const first: Row[] = []
  for (;;) {
    const { value, done } = await rows.next()
    if (done) return first
    first.push(value)
    const hasObject = first.some((row) => 'fields' in row)
    if (first.length >= (hasObject ? firstRows : mostBroken)) return first
  }
}

async function* readRows(path: string): AsyncGenerator<Row> {
  for await (const item of readJsonObjects(path)) {
    const { where, line } = item
    yield 'problems' in item ? { where, line, problems: item.problems } : { where, line, fields: item.data }
  }
}

async function* join(first: readonly Row[], rest: AsyncGenerator<Row>): AsyncGenerator<Row> {
  yield* first
  yield* rest
}
