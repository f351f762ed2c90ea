import { present } from '../reports/words/numbers.ts'
import { readCsv } from '../suites/files/read-csv.ts'
import { readLines } from '../suites/files/read-lines.ts'
import { digest } from '../text/canonical-json.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { isObject } from '../text/is-object.ts'
import { withNear } from '../text/near-word.ts'
import {
  amount,
  type Finding,
  type ForeignTrial,
  gradeOf,
  type Importer,
  type ImportOptions,
  words,
} from './foreign-trial.ts'
import { longestFile, parseJson } from './read-document.ts'

/** What a column may hold, and the names that are taken for it without being told. */
export const columnNames = {
  task: ['task', 'task_id', 'instance_id', 'id'],
  passed: ['passed', 'resolved', 'is_resolved', 'is_solved', 'correct', 'success'],
  score: ['score'],
  method: ['method', 'agent'],
  model: ['model'],
  suite: ['suite', 'benchmark', 'dataset'],
  version: ['version'],
  epoch: ['epoch', 'repeat', 'sample'],
  input: ['input_tokens', 'prompt_tokens'],
  output: ['output_tokens', 'completion_tokens'],
  cached: ['cached_tokens'],
  cost: ['cost', 'cost_usd'],
  calls: ['calls', 'api_calls'],
  ms: ['duration_ms', 'latency_ms'],
  error: ['error'],
  answer: ['answer', 'reply'],
  content: ['prompt', 'question'],
  cluster: ['cluster'],
} as const
type Column = keyof typeof columnNames

/** The column that each thing is in, by the names of a row. */
type Fields = ReadonlyMap<Column, string>

/** A table with a row for each trial: CSV or JSONL, also gzipped. */
export const perInstance: Importer = {
  title: 'a table',
  wanted: 'a .csv or .jsonl file with a row for each trial',
  takes: ['columns'],
  async *read(path, options) {
    const table = createTable(path, options)
    for await (const { where, cells, names, problem } of rowsOf(path)) {
      if (problem) {
        yield { problem: { where, ...problem } }
        continue
      }
      const fields = table.fieldsOf(names)
      if (!fields.has('task')) yield { problem: { ...table.without('task'), where } }
      else {
        table.noteVerdict(where, cells[verdictField(fields)])
        yield trialOf(where, cells, fields)
      }
    }
    table.end()
  },
}

interface Row {
  where: string
  cells: Record<string, unknown>
  names: readonly string[]
  problem?: Omit<Problem, 'where'>
}

const broken = (where: string, problem: Omit<Problem, 'where'>): Row => ({
  ...{ where, cells: {}, names: [], problem },
})

async function* rowsOf(path: string): AsyncGenerator<Row> {
  if (/\.[ct]sv(\.gz)?$/i.test(path)) {
    const { columns: names, rows } = await readCsv(path)
    const twice = names.find((name, at) => name !== '' && names.indexOf(name) < at)
    if (twice !== undefined)
      throw new UserError({
        where: `${path} ${twice}`,
        what: 'is the name of two columns',
        fix: 'Rename one of them in the first line, or remove it.',
      })
    for await (const row of rows) {
      const where = `${path}:${row.line}`
      if ('problem' in row) yield broken(where, row.problem)
      else if (row.cells.length !== names.length)
        yield broken(where, {
          what: `has ${row.cells.length} cells, but the first line names ${names.length} columns`,
          fix: 'Give the row one cell for each column, and quote each cell that contains the delimiter.',
        })
      else yield { where, names, cells: Object.fromEntries(names.map((name, at) => [name, row.cells[at]])) }
    }
    return
  }
  for await (const { number, text } of readLines(path, longestFile)) {
    if (text.trim() === '') continue
    const where = `${path}:${number}`
    try {
      const cells = parseJson(text.replace(stringOrLongInteger, keepDigits), where)
      if (isObject(cells)) yield { where, cells, names: Object.keys(cells) }
      else yield broken(where, { what: 'is not an object', fix: 'Write one JSON object a line.' })
    } catch (error) {
      const [problem] = (error as UserError).problems ?? []
      if (!problem) throw error
      yield broken(where, problem)
    }
  }
}

/** A number of JavaScript holds 15 digits for sure; ids have more. */
const stringOrLongInteger = /"(?:[^"\\]|\\.)*"|(?<![\d.+-])\d{16,}(?![\d.eE])/g
const keepDigits = (found: string) => (found.startsWith('"') ? found : `"${found}"`)

const verdictField = (fields: Fields): string => fields.get('passed') ?? fields.get('score') ?? ''

/** Finds the columns of a table. Rows of JSONL may have other fields than the first one. */
function createTable(path: string, { columns = {} }: ImportOptions) {
  const all = new Set<string>()
  const seen = new Set<Column>()
  const letters = new Map<string, string>()
  let last: { names: readonly string[]; fields: Fields } | undefined
  const theirs = () => `Its columns: ${[...all].slice(0, 20).join(', ')}.`

  function find(names: readonly string[]): Fields {
    const found = new Map<Column, string>()
    for (const name of names) all.add(name)
    for (const [column, usual] of Object.entries(columnNames) as [Column, readonly string[]][]) {
      const named = columns[column]
      const name = nameAmong(names, named === undefined ? usual : [named])
      if (name === undefined) continue
      found.set(column, name)
      seen.add(column)
    }
    return found
  }

  /** Returns the problem of a table without a column. */
  function without(column: Column): Problem {
    const named = columns[column]
    if (named !== undefined)
      return {
        where: `${path} --columns ${column}=${named}`,
        what: 'names a column that the table does not have',
        fix: withNear(named, [...all], theirs()),
      }
    return {
      where: path,
      what: `has no column for the ${column === 'task' ? 'task' : 'verdict'}`,
      fix: `Name it: --columns ${column}=COLUMN. ${theirs()}`,
    }
  }

  return {
    without,
    fieldsOf(names: readonly string[]): Fields {
      if (last?.names !== names) last = { names, fields: find(names) }
      return last.fields
    },
    /** Throws `UserError` for a P that may stand for passed and for partial. */
    noteVerdict(where: string, verdict: unknown): void {
      const letter = typeof verdict === 'string' ? verdict.trim().toUpperCase() : ''
      if (/^[PCIN]$/.test(letter) && !letters.has(letter)) letters.set(letter, where)
      if (letters.size < 2 || !letters.has('P')) return
      throw new UserError({
        where,
        what: `has a column of verdicts with ${[...letters.keys()].join(' and ')}: P is passed beside F, and partial beside C, I and N`,
        fix: 'Write passed and failed, or numbers from 0 to 1.',
      })
    },
    /** Throws `UserError` for a column that no row has, and for a table without rows, tasks or verdicts. */
    end(): void {
      const fix = 'Name a table with a row for each trial.'
      if (all.size === 0) throw new UserError({ where: path, what: 'has no rows', fix })
      const graded = seen.has('passed') || seen.has('score')
      const wanted = [...Object.keys(columns), 'task', ...(graded ? [] : ['passed'])] as Column[]
      const missing = wanted.find((column) => !seen.has(column))
      if (missing) throw new UserError(without(missing))
    },
  }
}

/** Returns the first name of a row that is wanted: as it is written, else in capitals of its own. */
function nameAmong(names: readonly string[], wanted: readonly string[]): string | undefined {
  const exact = wanted.find((one) => names.includes(one))
  if (exact !== undefined) return exact
  const small = wanted.map((one) => one.toLowerCase())
  return names.find((name) => small.includes(name.toLowerCase()))
}

function trialOf(where: string, cells: Record<string, unknown>, fields: Fields): Finding {
  const cell = (column: Column): unknown => {
    const name = fields.get(column)
    return name === undefined ? undefined : cells[name]
  }
  const text = (column: Column) => {
    const value = cell(column)
    return typeof value === 'number' ? String(value) : words(value)
  }
  const number = (column: Column) => {
    const value = cell(column)
    return amount(typeof value === 'string' && value.trim() !== '' ? Number(value) : value)
  }
  const wrong = (column: Column, what: string, fix: string): Finding => ({
    problem: { where: `${where} ${fields.get(column)}`, what, fix },
  })
  const task = text('task')
  if (task === null) return wrong('task', 'names no task', 'Fill the cell.')
  const unread = (['epoch', 'input', 'output', 'cached', 'cost', 'calls', 'ms'] as const).find(
    (column) => text(column) !== null && number(column) === null,
  )
  if (unread !== undefined)
    return wrong(
      unread,
      `is no number of at least 0: ${JSON.stringify(cell(unread))}`,
      // A comma may stand for thousands, so nobody can say what 1,234 is.
      'Write a number such as 0.25, with a point, or leave the cell empty where it is not known.',
    )
  const epoch = number('epoch')
  if (epoch !== null && !(Number.isInteger(epoch) && epoch > 0))
    return wrong('epoch', 'is no number from 1', 'Count repetitions from 1.')
  const error = text('error')
  const content = text('content')
  const verdict = cells[verdictField(fields)]
  const grade = gradeOf(typeof verdict === 'string' && /^\s*p\s*$/i.test(verdict) ? 'passed' : verdict)
  const score = number('score')
  // Rows that are equal in all of these are one trial, found twice.
  const id = [text('method'), text('model'), text('version'), content && digest(content).slice(0, 8), epoch]
  const trial: ForeignTrial = {
    ...{ where, agent: text('method'), model: text('model') },
    ...{ suite: text('suite') ?? 'imported', version: text('version') ?? undefined, task },
    ...(text('cluster') !== null && { cluster: text('cluster') as string }),
    ...{ content: content ?? undefined, ...(epoch !== null && { epoch, id: JSON.stringify(id) }) },
    ...grade,
    ...(score !== null && score <= 1 && { score }),
    ...(error !== null && grade.state === 'not graded'
      ? { state: 'error' as const, reason: error }
      : { reason: present([grade.reason, error]).join(': ') }),
    tokens: { input: number('input'), output: number('output'), cached: number('cached') },
    ...{ costUsd: number('cost'), calls: number('calls'), durationMs: number('ms') },
    ...(text('answer') !== null && { answer: text('answer') as string }),
  }
  return { trial }
}
