import { type Files, TaskSpec } from '../../schema/task.ts'
import { digest } from '../../text/canonical-json.ts'
import type { Problem } from '../../text/errors.ts'
import { inWords } from '../../text/issue-text.ts'
import { shorten } from '../../text/shorten.ts'
import { checkAnswers } from '../answer-rules.ts'
import type { Guess, NamedProgram } from '../suite.ts'
import { checkTask } from '../task-rules.ts'
import type { Cells, Options } from './cells.ts'
import type { Columns } from './columns.ts'
import { type Expected, expectedOf, fittingGrader, matchesOne } from './expected.ts'
import type { graderFiles } from './grader-file.ts'
import { isOpen, type RowGrader, type Settings } from './settings.ts'
import { judgeGraders, moduleGraders, rulesGraders } from './text-graders.ts'

/** What is known of a table when its rows are read. */
export interface Reading {
  columns: Columns
  settings: Settings
  semicolons: boolean
  readFile: ReturnType<typeof graderFiles>
}

/** How a row is graded. */
export interface Graded {
  expected: Expected
  tests?: Files
  program?: NamedProgram
  /** The row says no grader. */
  guess?: Omit<Guess, 'line'>
}

/** Returns how a row is graded. Undefined if its cells have problems, which they collect. */
export function gradeRow(
  cells: Cells,
  where: string,
  { grader, options }: { grader: RowGrader | undefined; options: Options },
  reading: Reading,
): Graded | undefined {
  const answers = readAnswers(cells, reading.columns, grader)
  return grader !== undefined && isOpen(grader)
    ? gradeText(cells, where, { grader, solution: answers[0] }, reading)
    : gradeAnswer(cells, where, { grader, answers, options }, reading)
}

/** Returns the right answers of a row; of a text that is graded as a whole, a good one, if there is any. */
function readAnswers(cells: Cells, { answer }: Columns, grader: RowGrader | undefined): string[] {
  if (isOpen(grader)) return answer === undefined ? [] : [cells.text(answer)].filter((text) => text !== '')
  if (answer !== undefined) return cells.required(answer)
  cells.report(
    'answer',
    'is missing: the table has no column for the right answer, which this row needs',
    'Add one, name it with ?answer=COLUMN, or grade the row by judge, rules or a file.',
  )
  return []
}

/** Grades a text as a whole. Undefined if the cells have problems, which they collect. */
function gradeText(
  cells: Cells,
  where: string,
  { grader, solution }: { grader: RowGrader; solution: string | undefined },
  { columns, readFile }: Reading,
): Graded | undefined {
  const isTyped = columns.grader !== undefined && 'value' in columns.grader
  const column = columns.grader && 'column' in columns.grader ? columns.grader.column : 'grader'
  const file = typeof grader === 'object' ? readFile(grader.file, isTyped) : undefined
  if (file && 'problem' in file) {
    cells.report(column, file.problem.what, file.problem.fix ?? '')
    return undefined
  }
  const { text } = columns
  const graders = file
    ? moduleGraders(file.name, cells, text)
    : grader === 'judge'
      ? judgeGraders(cells, text, solution !== undefined)
      : rulesGraders(cells, text)
  if (graders === undefined) return undefined
  const tests = file?.tests ?? {}
  const spec = TaskSpec.safeParse({ id: 'row', title: 'row', output: 'answer', ...graders }, inWords)
  const part = grader === 'judge' ? 'rubric' : column
  if (!spec.success) cells.report(part, spec.error.issues[0]?.message ?? 'cannot be read', 'Correct it.')
  else
    for (const { what, fix } of checkTask(
      { data: spec.data, where: () => where },
      { files: {}, checks: {}, tests, solution: solution === undefined ? {} : { 'answer.txt': solution } },
    ))
      cells.report(part, what, fix ?? 'Correct it.')
  return {
    expected: { ...graders, ...(solution !== undefined && { solution }) },
    tests,
    ...(file && {
      program: { file: file.path, where: `${where} ${column}`, isTyped, digest: digest(tests) },
    }),
  }
}

/** Grades by the right answers of a row. Undefined if the cells have problems, which they collect. */
function gradeAnswer(
  cells: Cells,
  where: string,
  { grader, answers, options }: { grader: RowGrader | undefined; answers: string[]; options: Options },
  { columns, settings, semicolons }: Reading,
): Graded | undefined {
  const tolerance = cells.number('tolerance', columns.tolerance)
  if (cells.problems.length > 0) return undefined
  const column = columns.answer ?? 'answer'
  // A number that data types is in no doubt.
  const isTyped = typeof cells.value(column) === 'number'
  const decimal = settings.decimal ?? (isTyped ? ('point' as const) : undefined)
  const form = { decimal, brackets: settings.brackets, semicolons }
  const fitting = fittingGrader(answers, options, form)
  const kind = (grader as typeof fitting.kind | undefined) ?? fitting.kind
  const example = kind === 'pattern' ? cells.text(columns.example) || undefined : undefined
  const expected = expectedOf({ kind, answers, options, index: settings.index, tolerance, example, form })
  if ('problems' in expected) {
    for (const { what, fix } of expected.problems) cells.report(column, what, fix ?? '')
    return undefined
  }
  cells.problems.push(...gradersProblems(expected, where, columns))
  if (example !== undefined && cells.problems.length === 0 && !matchesOne(example, answers))
    cells.report(
      columns.example ?? '',
      `is not matched by the pattern, as an answer of one line: ${shorten(example, 40)}`,
      'Write an answer that is right, or correct the pattern.',
    )
  const isDoubtful = kind === 'numeric' && fitting.isTwofold
  return {
    expected,
    ...((grader === undefined || isDoubtful) && {
      guess: { grader: kind, reason: fitting.reason, answer: answers[0] ?? '' },
    }),
  }
}

function gradersProblems({ graders }: Expected, where: string, columns: Columns): Problem[] {
  const field = (path: readonly PropertyKey[]) =>
    path.includes('options') ? columns.options.join('+') || 'options' : (columns.answer ?? 'answer')
  const pattern = graders.flatMap((grader) =>
    grader.kind === 'pattern' ? patternProblems(grader.require) : [],
  )
  const spec = { output: 'answer', graders } as unknown as TaskSpec
  return [
    ...checkAnswers({ data: spec, where: (...path) => `${where} ${field(path)}` }, {}, ''),
    ...pattern.map((problem) => ({ where: `${where} ${columns.answer ?? 'answer'}`, ...problem })),
  ]
}

function patternProblems(sources: readonly string[]): Omit<Problem, 'where'>[] {
  return sources.flatMap((source) => {
    try {
      new RegExp(source, 'i')
      return []
    } catch (error) {
      return [
        {
          what: `is not a pattern: ${(error as Error).message}`,
          fix: 'Write a JavaScript regular expression.',
        },
      ]
    }
  })
}
