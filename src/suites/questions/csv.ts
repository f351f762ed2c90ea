import { type Problem, UserError } from '../../text/errors.ts'
import { readCsv } from '../files/read-csv.ts'
import type { Importer, SuiteItem, SuiteSource } from '../suite.ts'
import { type Questions, type Row, readQuestions } from './read-questions.ts'
import { questionParameters } from './settings.ts'

/** A table of questions and answers: CSV from a spreadsheet, with any delimiter. */
export const csv: Importer = {
  name: 'csv',
  summary: 'questions in a spreadsheet: CSV with a column for the question and one for the answer',
  parameters: {
    ...questionParameters,
    delimiter: 'comma, semicolon, tab, bar, or a sign; without it the one of the first line',
    quotes: 'none: quotes in cells are plain signs, as in many files with tabs',
  },
  recognises: (sample) => {
    if (sample.kind !== 'file' || /^\s*[[{]/.test(sample.text)) return undefined
    if (/\.(csv|tsv)(\.gz)?$/i.test(sample.name)) return 'certain'
    const [header = ''] = sample.text.split('\n')
    const cells = header.split(/[,;\t|]/).map((cell) => cell.trim().replace(/"/g, '').toLowerCase())
    return cells.length > 1 && cells.some((cell) => ['question', 'prompt', 'input'].includes(cell))
      ? 'possible'
      : undefined
  },
  async *read(source): AsyncGenerator<SuiteItem> {
    yield* readQuestions(source, await readTable(source))
  },
}

const signs: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', tab: '\t', bar: '|' }

async function readTable({ path, parameters }: SuiteSource): Promise<Questions> {
  const { quotes, delimiter: given } = parameters
  if (quotes !== undefined && quotes !== 'none')
    throw new UserError({
      where: `?quotes=${quotes}`,
      what: 'must be none',
      fix: 'Write ?quotes=none, or leave it out.',
    })
  const sign = given === undefined ? undefined : (signs[given] ?? given)
  if (sign !== undefined && (sign.length !== 1 || /["\s]/.test(sign.replace('\t', ''))))
    throw new UserError({
      where: `?delimiter=${given}`,
      what: 'is not a character',
      fix: `Write ${Object.keys(signs).join(', ')}, or one character.`,
    })
  const {
    columns: header,
    delimiter,
    rows,
  } = await readCsv(path, { delimiter: sign, noQuotes: quotes === 'none' })
  return {
    names: header.filter((name) => name !== ''),
    semicolons: delimiter === ';',
    notes: headerNotes(path, header),
    rows: readRows(path, header, delimiter, rows),
  }
}

/** Names columns that cannot be told apart. Where a parameter names one of them, that is an error. */
function headerNotes(path: string, header: readonly string[]): string[] {
  const twice = [...new Set(header.filter((name, i) => name !== '' && header.indexOf(name) < i))]
  const last = header.findLastIndex((name) => name !== '')
  const unnamed = header.flatMap((name, i) => (name === '' && i < last ? [i + 1] : []))
  return [
    ...(twice.length > 0
      ? [`${path}: more than one column is named ${twice.map((name) => JSON.stringify(name)).join(', ')}`]
      : []),
    ...(unnamed.length > 0 ? [`${path}: column ${unnamed.join(', ')} has no name and is not read`] : []),
  ]
}

async function* readRows(
  path: string,
  header: readonly string[],
  delimiter: string,
  rows: Awaited<ReturnType<typeof readCsv>>['rows'],
): AsyncGenerator<Row> {
  for await (const row of rows) {
    const { line } = row
    const where = `${path}:${line}`
    if ('problem' in row) {
      yield { where, line, problems: [{ where, ...row.problem }] }
      continue
    }
    const { cells } = row
    // Spreadsheets export rows of nothing but delimiters.
    if (cells.every((cell) => cell.trim() === '')) continue
    const problem = widthProblem(where, header, cells, delimiter)
    yield problem
      ? { where, line, problems: [problem] }
      : { where, line, fields: Object.fromEntries(header.map((name, i) => [name, cells[i]])) }
  }
}

function widthProblem(
  where: string,
  header: readonly string[],
  cells: readonly string[],
  delimiter: string,
): Problem | undefined {
  const counts = `the row has ${cells.length} ${cells.length === 1 ? 'field' : 'fields'}, the first line ${header.length}`
  const sign = JSON.stringify(delimiter)
  if (cells.length < header.length) {
    const what = `is missing: ${counts}`
    return { where: `${where} ${header[cells.length]}`, what, fix: `Write ${sign} for each empty field.` }
  }
  if (cells.slice(header.length).every((cell) => cell.trim() === '')) return undefined
  return {
    where: `${where} field ${header.length + 1}`,
    what: `has no column: ${counts}`,
    fix: `Put a text that contains ${sign} in quotes.`,
  }
}
