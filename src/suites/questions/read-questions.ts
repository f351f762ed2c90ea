import { createHash } from 'node:crypto'
import type { Problem } from '../../text/errors.ts'
import { cutMiddle } from '../../text/shorten.ts'
import { makeTask, taskId } from '../make-task.ts'
import type { SuiteItem, SuiteSource } from '../suite.ts'
import { type Cells, optionsOf, readCells } from './cells.ts'
import { type Columns, findColumns } from './columns.ts'
import { withOptions } from './expected.ts'
import { type Graded, gradeRow, type Reading } from './grade-row.ts'
import { graderFiles } from './grader-file.ts'
import { parseSettings } from './settings.ts'

/** A row of a table of questions: its fields or its problems. `where` is its place, as `PATH:LINE`. */
export type Row = { where: string; line: number } & ({ fields: Fields } | { problems: readonly Problem[] })
type Fields = Readonly<Record<string, unknown>>

/** A table of questions, read lazily. */
export interface Questions {
  /** The names of its columns, or of the fields that its first rows have. */
  names: readonly string[]
  rows: AsyncIterable<Row>
  /** Its cells are parted by semicolons. */
  semicolons?: boolean
  /** What the user should know of it. */
  notes: readonly string[]
}

/** Makes a task of each row, in order. Throws `UserError` for parameters that do not fit. */
export async function* readQuestions(source: SuiteSource, questions: Questions): AsyncGenerator<SuiteItem> {
  const settings = parseSettings(source)
  const columns = findColumns(source, questions.names)
  for (const note of questions.notes) yield { note }
  if (columns.found.length > 0) yield { note: `${source.path}: ${columns.found.join(', ')}` }
  const names = createNames(columns.id ?? 'id')
  const repeats = countRepeats()
  const reading: Reading = {
    ...{ columns, settings, semicolons: questions.semicolons === true },
    readFile: graderFiles(source.path),
  }
  const programs = new Set<string>()
  let number = 0
  for await (const row of questions.rows) {
    number++
    if ('problems' in row) {
      yield row
      continue
    }
    const read = readRow(row, number, reading)
    if ('problems' in read) {
      yield read
      continue
    }
    const { spec, instruction, solution, name, tests = {}, program, guess } = read
    const { problem, note } = names.take(row, name, spec.id)
    if (note !== undefined) yield { note }
    if (problem) {
      yield { problems: [problem] }
      continue
    }
    repeats.add(instruction, row.line)
    if (program && !programs.has(program.file)) {
      programs.add(program.file)
      yield { program }
    }
    yield {
      task: makeTask({
        ...{ suite: settings.suite, spec, instruction, files: {}, checks: {}, origin: row.where },
        hidden: { tests, ...(solution !== undefined && { solution: { answer: solution } }) },
      }),
      ...(guess && { guess: { line: row.line, ...guess } }),
    }
  }
  const repeated = repeats.note()
  if (repeated !== undefined) yield { note: `${source.path}: ${repeated}` }
}

type Spec = Parameters<typeof makeTask>[0]['spec']

/** `name`: the text that names the task; empty if there is none. */
type ReadRow = Omit<Graded, 'expected'> & {
  spec: Spec
  instruction: string
  solution: string | undefined
  name: string
}

function readRow(
  { where, fields }: { where: string; fields: Fields },
  number: number,
  reading: Reading,
): ReadRow | { problems: Problem[] } {
  const { columns } = reading
  const cells = readCells(where, fields)
  const question = readQuestion(cells, columns.question)
  const grader = cells.grader(columns.grader)
  const options = optionsOf(cells, columns.options)
  const facts = readFacts(cells, columns)
  const title = cells.text(columns.title) || cutMiddle(question.split('\n')[0] as string, 60)
  const name = cells.text(columns.id)
  const id = taskId(name) || `q${number}`
  const graded = gradeRow(cells, where, { grader, options }, reading)
  if (graded === undefined || cells.problems.length > 0) return { problems: cells.problems }
  const { expected, ...rest } = graded
  const { graders, rule, solution } = expected
  const spec: Spec = { id, title, output: 'answer', graders, ...(rule && { rule }), ...facts }
  return { ...rest, spec, instruction: withOptions(question, options), solution, name }
}

function readQuestion(cells: Cells, column: string): string {
  if (Array.isArray(cells.value(column))) return cells.text(column)
  return cells.required(column)[0] as string
}

function readFacts(
  cells: Cells,
  columns: Columns,
): Pick<Spec, 'licence' | 'source' | 'tags' | 'properties' | 'cluster'> {
  const licence = cells.texted(columns.licence)
  const source = cells.texted(columns.source)
  const difficulty = cells.number('difficulty', columns.difficulty)
  const cluster = cells.text(columns.cluster).trim()
  const tags = cells
    .text(columns.tags)
    .split(/[,;|]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  return {
    ...(licence !== undefined && { licence }),
    ...(source !== undefined && { source }),
    ...(tags.length > 0 && { tags }),
    ...(difficulty !== undefined && { properties: { difficulty } }),
    ...(cluster !== '' && { cluster }),
  }
}

/** Counts the questions of a table that an earlier row asks, too: as tasks of their own they look like more evidence than they are. */
function countRepeats() {
  // Digests keep the memory small for a table of any length.
  const seen = new Map<string, number>()
  let count = 0
  let first = ''
  return {
    add(question: string, line: number): void {
      const digest = createHash('sha256').update(question).digest('base64').slice(0, 16)
      const earlier = seen.get(digest)
      if (earlier === undefined) seen.set(digest, line)
      else if (++count === 1) first = `line ${line} repeats line ${earlier}`
    },
    /** Says how many there are, and where the first is. */
    note: (): string | undefined =>
      count === 0
        ? undefined
        : `${count === 1 ? '1 question stands' : `${count} questions stand`} in an earlier row, too (${first}); each counts as a task`,
  }
}

interface Names {
  /**
   * Takes an id for the task of a row, which `text` names. Gives a problem if an earlier row has it, and once a note if the text has no
   * sign that an id can have.
   */
  take(row: { where: string; line: number }, text: string, id: string): { problem?: Problem; note?: string }
}

function createNames(column: string): Names {
  const seen = new Map<string, { text: string; line: number }>()
  let isNoted = false
  return {
    take({ where, line }, text, id) {
      const place = `${where} ${column}`
      // Names that differ only by case are one on many file systems.
      const earlier = seen.get(id.toLowerCase())
      if (earlier) return { problem: { where: place, ...nameAgain(text || id, id, earlier) } }
      seen.set(id.toLowerCase(), { text: text || id, line })
      if (isNoted || /[A-Za-z0-9]/.test(text.normalize('NFKD')) || text === '') return {}
      isNoted = true
      const because = 'has no Latin letter and no digit'
      return { note: `${place}: ${quoted(text)} ${because}, so the task is named by its place, ${id}` }
    },
  }
}

const nameAgain = (text: string, id: string, earlier: { text: string; line: number }) => ({
  what: `gives the name ${cutMiddle(id, 80)} again: ${quoted(text)}, as ${quoted(earlier.text)} in line ${earlier.line}`,
  fix: 'Give each row its own, in Latin letters and digits, or name another column as ?id=COLUMN.',
})

const quoted = (text: string) => JSON.stringify(cutMiddle(text, 80))
