import { readFileSync } from 'node:fs'
import { text as readStream } from 'node:stream/consumers'
import { matchOption } from '../../replies/answers/option-claims.ts'
import { pickNumber } from '../../replies/answers/pick-number.ts'
import { type Task, TaskSpec } from '../../schema/task.ts'
import { type Problem, problemAt, UserError } from '../../text/errors.ts'
import { didYouMean, withNear } from '../../text/near-word.ts'
import { isSet } from '../config/merge-options.ts'
import { parseDecimal } from '../values/parse-values.ts'

/** Languages of tasks that want a function. */
const languages = ['python', 'javascript', 'typescript']

const isFunctionName = (name: string) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)

/** Returns the options of a choice. A single value is a list with commas. */
export const choicesOf = ({ options }: GradeOptions): string[] =>
  (options.length === 1 ? (options[0] as string).split(',') : [...options]).map((option) => option.trim())

/** Returns what is wrong with the arguments of the command. */
export function argumentProblems(text: string | undefined, options: GradeOptions): Problem[] {
  const { grader, schema } = options
  const ofGrader = schema === undefined ? graderProblems(grader, options) : []
  return [...sourceProblems(text, options), ...ofGrader, ...unfitFlags(options)]
}

function sourceProblems(text: string | undefined, { file, schema, grader }: GradeOptions): Problem[] {
  const problems: Problem[] = []
  if ((text === undefined) === (file === undefined))
    problems.push({
      where: 'grade',
      what: text === undefined ? 'requires a reply' : `got a reply and --file ${file}`,
      fix: 'Write the reply as text, `-` to read it from the standard input, or --file FILE.',
    })
  if (schema !== undefined && grader !== undefined)
    problems.push({
      where: '--schema',
      what: `conflicts with --grader ${grader}: data of a reply has no grader`,
      fix: 'Leave one of them out.',
    })
  return problems
}

function graderProblems(grader: string | undefined, options: GradeOptions): Problem[] {
  const names = Object.keys(graderFlags)
  if (grader === undefined)
    return [{ where: 'grade', what: 'requires --grader or --schema', fix: `Graders: ${names.join(', ')}.` }]
  if (!Object.hasOwn(graderFlags, grader)) {
    const fix =
      grader === 'rules' ? rulesRemedy : (didYouMean(grader, names) ?? `Write one of ${names.join(', ')}.`)
    return [{ where: `--grader ${grader}`, what: 'is not a grader that bench grade can show', fix }]
  }
  const missing = graderFlags[grader as keyof typeof graderFlags].needs.filter(
    (name) => !options[name]?.length,
  )
  const lacks = missing.map((name) =>
    problemAt(`--grader ${grader}`, `requires --${name}`, `Write for example ${examples[name]}.`),
  )
  return [...lacks, ...(missing.length > 0 ? [] : valueProblems(grader, options))]
}

const rulesRemedy =
  'Its rules stand in a task: write the text to solution/answer.txt of that task, and run bench tasks check.'

const examples = { answer: '--answer 42', options: "--options 'yes,no'", require: "--require '^ok$'" }

function valueProblems(grader: string, options: GradeOptions): Problem[] {
  const { answer = '', tolerance, language, entryPoint, extract, require, forbid } = options
  const problems: Problem[] = []
  const add = (where: string, what: string, fix: string) => problems.push({ where, what, fix })
  if (grader === 'numeric') {
    const expected = pickNumber(answer)
    if ('problem' in expected) add(`--answer ${answer}`, expected.problem, 'Write a number, such as 42.')
  }
  if (grader === 'choice' && matchOption(answer, choicesOf(options)) === undefined)
    add(`--answer ${answer}`, 'is not one of the options', 'Write a letter, such as B, or the text of one.')
  if (tolerance !== undefined && !(parseDecimal(tolerance) >= 0))
    add(`--tolerance ${tolerance}`, 'is not a number of at least 0', 'Write for example --tolerance 0.01.')
  if (language !== undefined && !languages.includes(language))
    add(
      `--language ${language}`,
      'is not a language of tasks',
      withNear(language, languages, `Write one of ${languages.join(', ')}.`),
    )
  if (entryPoint !== undefined && !isFunctionName(entryPoint))
    add(
      `--entry-point ${entryPoint}`,
      'is not the name of a function',
      'Write for example --entry-point solve.',
    )
  for (const [flag, sources] of Object.entries({ extract, require, forbid }))
    for (const source of sources) {
      const problem = expressionProblem(source)
      if (problem) add(`--${flag} ${source}`, problem, 'Correct the regular expression.')
    }
  return problems
}

function expressionProblem(source: string): string | undefined {
  try {
    new RegExp(source)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** The options of `bench grade`. */
export interface GradeOptions {
  grader?: string
  answer?: string
  /** One list with commas, or one option each. */
  options: readonly string[]
  tolerance?: string
  extract: readonly string[]
  require: readonly string[]
  forbid: readonly string[]
  language?: string
  entryPoint?: string
  schema?: string
  file?: string
  json?: boolean
}

interface Flags {
  needs: readonly (keyof GradeOptions)[]
  /** Flags that may be left out. */
  takes: readonly (keyof GradeOptions)[]
}

const graderFlags = {
  numeric: { needs: ['answer'], takes: ['tolerance', 'extract'] },
  math: { needs: ['answer'], takes: ['extract'] },
  choice: { needs: ['answer', 'options'], takes: ['extract'] },
  exact: { needs: ['answer'], takes: ['extract'] },
  pattern: { needs: ['require'], takes: ['forbid'] },
  tests: { needs: [], takes: ['language', 'entryPoint'] },
} as const satisfies Record<string, Flags>

const flagNames = {
  answer: '--answer',
  options: '--options',
  tolerance: '--tolerance',
  extract: '--extract',
  require: '--require',
  forbid: '--forbid',
  language: '--language',
  entryPoint: '--entry-point',
} satisfies Partial<Record<keyof GradeOptions, string>>

function unfitFlags(options: GradeOptions): Problem[] {
  const { schema, grader = '' } = options
  if (schema !== undefined) return unfitFor('--schema', [], options)
  if (!Object.hasOwn(graderFlags, grader)) return []
  const { needs, takes } = graderFlags[grader as keyof typeof graderFlags]
  return unfitFor(`--grader ${grader}`, [...needs, ...takes], options)
}

function unfitFor(place: string, read: readonly (keyof GradeOptions)[], options: GradeOptions): Problem[] {
  const names = Object.entries(flagNames)
  const fitting = names.flatMap(([name, flag]) => (read.some((one) => one === name) ? [flag] : []))
  const fix = fitting.length > 0 ? `Leave it out: ${place} reads ${fitting.join(', ')}.` : 'Leave it out.'
  return names
    .filter(([name, flag]) => isSet(options[name as keyof GradeOptions]) && !fitting.includes(flag))
    .map(([, flag]) => ({ where: flag, what: `does not fit ${place}`, fix }))
}

/** Returns a task with these fields of its specification, and nothing else of its own. */
export function taskFor(fields: Readonly<Record<string, unknown>>): Task {
  const spec = TaskSpec.parse({
    id: 'grade',
    version: 1,
    title: 'A reply',
    graders: [{ kind: 'pattern', require: ['.'] }],
    licence: 'none',
    source: 'bench grade',
    properties: {},
    ...fields,
  })
  return {
    ref: 'bench grade',
    suite: 'bench',
    spec,
    instruction: '',
    files: {},
    checks: {},
    hidden: { tests: {} },
    digest: '',
    origin: 'bench grade',
  }
}

/** Returns the reply: the text itself, a file, or for `-` the standard input. */
export async function readText(text: string | undefined, file: string | undefined): Promise<string> {
  if (file !== undefined) return readUserFile('--file', file)
  return text === '-' ? readStream(process.stdin) : (text ?? '')
}

/** Reads a file of the user. Throws `UserError` if it cannot be read. */
export function readUserFile(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const what = `cannot be read: ${(error as Error).message}`
    throw new UserError({ where: `${flag} ${file}`, what, fix: 'Give the path of a text file.' })
  }
}
