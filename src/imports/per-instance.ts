import { readCsv } from '../suites/files/read-csv.ts'
import { readLines } from '../suites/files/read-lines.ts'
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

/** A table with a row for each trial: CSV or JSONL, also gzipped. */
export const perInstance: Importer = {
  title: 'a table',
  wanted: 'a .csv or .jsonl file with a row for each trial',
  takes: ['columns'],
  async *read(path, options) {
    let fields: Map<Column, string> | undefined
    for await (const { where, cells, problem } of rowsOf(path)) {
      if (problem) {
        yield { problem: { where, ...problem } }
        continue
      }
      fields ??= findColumns(path, Object.keys(cells), options)
      yield trialOf(where, cells, fields)
    }
    if (!fields)
      throw new UserError({
        where: path,
        what: 'has no rows',
        fix: 'Name a table with a row for each trial.',
      })
  },
}

interface Row {
  where: string
  cells: Record<string, unknown>
  problem?: Omit<Problem, 'where'>
}

async function* rowsOf(path: string): AsyncGenerator<Row> {
  if (/\.[ct]sv(\.gz)?$/i.test(path)) {
    const { columns, rows } = await readCsv(path)
    for await (const row of rows) {
      const where = `${path}:${row.line}`
      if ('problem' in row) yield { where, cells: {}, problem: row.problem }
      else yield { where, cells: Object.fromEntries(columns.map((name, at) => [name, row.cells[at] ?? ''])) }
    }
    return
  }
  for await (const { number, text } of readLines(path, longestFile)) {
    if (text.trim() === '') continue
    const where = `${path}:${number}`
    try {
      const cells = parseJson(text, where)
      if (isObject(cells)) yield { where, cells }
      else
        yield {
          where,
          cells: {},
          problem: { what: 'is not an object', fix: 'Write one JSON object a line.' },
        }
    } catch (error) {
      const [problem] = (error as UserError).problems ?? []
      if (!problem) throw error
      yield { where, cells: {}, problem }
    }
  }
}

/** Returns the field of each thing that is known. Throws `UserError` for a field that the table has not, and without task or verdict. */
function findColumns(
  path: string,
  names: readonly string[],
  { columns = {} }: ImportOptions,
): Map<Column, string> {
  const found = new Map<Column, string>()
  for (const [column, usual] of Object.entries(columnNames) as [Column, readonly string[]][]) {
    const named = columns[column]
    const name = named ?? usual.find((one) => names.includes(one))
    if (named !== undefined && !names.includes(named))
      throw new UserError({
        where: `${path} --columns ${column}=${named}`,
        what: 'names a column that the table does not have',
        fix: withNear(named, names, `Its columns: ${names.slice(0, 20).join(', ')}.`),
      })
    if (name !== undefined) found.set(column, name)
  }
  const missing = !found.has('task')
    ? 'task'
    : !found.has('passed') && !found.has('score')
      ? 'passed'
      : undefined
  if (missing !== undefined)
    throw new UserError({
      where: path,
      what: `has no column for the ${missing === 'task' ? 'task' : 'verdict'}`,
      fix: `Name it: --columns ${missing}=COLUMN. Its columns: ${names.slice(0, 20).join(', ')}.`,
    })
  return found
}

function trialOf(
  where: string,
  cells: Record<string, unknown>,
  fields: ReadonlyMap<Column, string>,
): Finding {
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
  const task = text('task')
  if (task === null)
    return { problem: { where, what: 'names no task', fix: `Fill the column ${fields.get('task')}.` } }
  const unread = (['epoch', 'input', 'output', 'cached', 'cost', 'calls', 'ms'] as const).find(
    (column) => text(column) !== null && number(column) === null,
  )
  if (unread !== undefined)
    return {
      problem: {
        where: `${where} ${fields.get(unread)}`,
        what: `is no number of at least 0: ${JSON.stringify(cell(unread))}`,
        // A comma may stand for thousands, so nobody can say what 1,234 is.
        fix: 'Write a number such as 0.25, with a point, or leave the cell empty where it is not known.',
      },
    }
  const error = text('error')
  const verdict = fields.has('passed') ? cell('passed') : cell('score')
  const grade = gradeOf(verdict)
  const score = number('score')
  const epoch = number('epoch')
  if (epoch !== null && !(Number.isInteger(epoch) && epoch > 0))
    return {
      problem: {
        where: `${where} ${fields.get('epoch')}`,
        what: 'is no number from 1',
        fix: 'Count repetitions from 1.',
      },
    }
  const trial: ForeignTrial = {
    ...{ where, agent: text('method'), model: text('model') },
    ...{ suite: text('suite') ?? 'imported', version: text('version') ?? undefined, task },
    ...(text('cluster') !== null && { cluster: text('cluster') as string }),
    ...{
      content: text('content') ?? undefined,
      ...(epoch !== null && { epoch, id: JSON.stringify([text('method'), text('model'), epoch]) }),
    },
    ...grade,
    ...(score !== null && score <= 1 && { score }),
    ...(error !== null && grade.state === 'not graded' && { state: 'error' as const, reason: error }),
    tokens: { input: number('input'), output: number('output'), cached: number('cached') },
    ...{ costUsd: number('cost'), calls: number('calls'), durationMs: number('ms') },
    ...(text('answer') !== null && { answer: text('answer') as string }),
  }
  return { trial }
}
