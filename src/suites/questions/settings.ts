import { type Problem, UserError } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'
import { taskId } from '../make-task.ts'
import type { SuiteSource } from '../suite.ts'

/** The graders that a question of a table can have, besides a file with a function. */
const kinds = ['exact', 'numeric', 'math', 'choice', 'pattern', 'rules', 'judge'] as const
export type Kind = (typeof kinds)[number]
/** What grades a row: a kind, or a function in a file, named from the folder of the table. */
export type RowGrader = Kind | { file: string }

/** Those that grade a text as a whole, with or without a right answer. */
export const isOpen = (grader: RowGrader | undefined): boolean =>
  typeof grader === 'object' || grader === 'rules' || grader === 'judge'

/** How the graders are listed for users. */
export const graderNames = `${kinds.join(', ')}, or a file with a function, such as grade.mjs or grade.py`

/** Returns the grader that a text names; undefined if it names none. */
export function parseGrader(text: string): RowGrader | undefined {
  if (/\.(?:m?[jt]s|py)$/i.test(text)) return { file: text }
  return kinds.find((kind) => kind === text.toLowerCase())
}

/** Returns `Did you mean pattern?` for a grader that is mistyped. */
export const nearGrader = (text: string): string | undefined => didYouMean(text, kinds)

/** The parameters of tables of questions. Those of columns name a column; the others give a value, or name a column that has it. */
export const questionParameters = {
  question: 'column of the question; without it question, prompt, input, problem or instruction',
  answer: 'column of the right answer, or of a list of them; without it answer, target, output or expected',
  id: 'column of the name of each task; without it id, else the number of the row',
  options: 'column with a list of options, or several as A+B+C+D; without it options, choices, or A, B, …',
  index: 'the answer is the place of an option, and the first is 0 or 1',
  grader:
    'exact, numeric, math, choice, pattern, rules, judge, or a file with a function, or a column of these; auto: the one that fits each answer',
  rubric: 'for judge: what judges look at, a line each, or a column of it; without it rubric or criteria',
  scale: 'for judge: yes-no, 1-5, 0-1 or compare, or a column of it; default yes-no',
  words: 'for rules: the fewest and the most words, as 50-100, or a column of it; without it words',
  facts: 'for rules: what the text must state, or a column of it; without it facts',
  forbid:
    'for rules: Markdown that the text must not have, such as list, or a column of it; without it forbid',
  pass: 'for rules, judge and files: the least score that passes, from 0 to 1, or a column of it; default 1',
  example: 'for pattern: column of an answer that the pattern matches; without it example',
  tolerance: 'how far a number may be off, or a column of it; default 0',
  decimal: 'comma or point: what stands before the decimals of the answers',
  brackets: 'minus or plain: what brackets around a number mean',
  title: 'column of a short title',
  tags: 'column of words to select tasks by',
  cluster:
    'column of what makes tasks alike, so that tests count them as one unit; without it cluster, repository, template or category',
  difficulty: 'a number from 0 to 1, or a column of it',
  licence: 'licence of the questions, or a column of it; default private',
  source: 'where they come from, or a column of it; default private',
  name: 'name of the suite; default the name of the file',
} as const

export type Parameter = keyof typeof questionParameters

/** What the parameters say, apart from columns. */
export interface Settings {
  suite: string
  index?: 0 | 1
  decimal?: 'comma' | 'point'
  brackets?: 'minus' | 'plain'
}

/** Returns the settings of the parameters. Throws `UserError` with every value that none of them takes. */
export function parseSettings({ path, parameters }: SuiteSource): Settings {
  const problems: Problem[] = []
  const oneOf = <Value extends string>(name: Parameter, values: readonly Value[]): Value | undefined => {
    const given = parameters[name]
    if (given === undefined || values.some((value) => value === given)) return given as Value | undefined
    problems.push({
      where: `?${name}=${given}`,
      what: `is not ${values.join(' or ')}`,
      fix: `Write ?${name}=${values[0]}.`,
    })
    return undefined
  }
  const index = oneOf('index', ['0', '1'])
  const decimal = oneOf('decimal', ['comma', 'point'])
  const brackets = oneOf('brackets', ['minus', 'plain'])
  const suite = suiteName(parameters.name ?? path)
  if (problems.length > 0) throw new UserError(problems)
  return {
    suite,
    ...(index && { index: index === '0' ? 0 : 1 }),
    ...(decimal && { decimal }),
    ...(brackets && { brackets }),
  }
}

function suiteName(path: string): string {
  const file = path.split(/[\\/]/).at(-1) ?? ''
  const stem = file.replace(/(\.(csv|tsv|txt|jsonl|ndjson|json|gz))+$/i, '')
  return taskId(stem) || 'questions'
}
