import { type Problem, UserError } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'
import { shorten } from '../../text/shorten.ts'
import type { SuiteSource } from '../suite.ts'
import { type Kind, kinds, type Parameter } from './settings.ts'

/** The same value for all rows, or the column that has it. */
export type Given<Value> = { value: Value } | { column: string }

/** Where the parts of a task stand. */
export interface Columns {
  question: string
  answer: string
  id?: string | undefined
  title?: string | undefined
  tags?: string | undefined
  cluster?: string | undefined
  /** None, one with a list, or one for each option. */
  options: readonly string[]
  grader?: Given<Kind> | undefined
  tolerance?: Given<number> | undefined
  difficulty?: Given<number> | undefined
  licence?: Given<string> | undefined
  source?: Given<string> | undefined
  /** What was found without a parameter, for the user. */
  found: readonly string[]
}

/**
 * Finds the columns that the parameters name, or those with a usual name. Throws `UserError` with all that are missing or could be
 * several, and with the columns that there are.
 */
export function findColumns(source: SuiteSource, names: readonly string[]): Columns {
  const finder = columnFinder(source, names)
  const { parameters } = source
  const { problems, found, has, column, usualColumn, required } = finder
  const text = (given: string | undefined): Given<string> | undefined =>
    given === undefined ? undefined : has(given) ? { column: given } : { value: given }
  const columns: Columns = {
    question: required('question'),
    answer: required('answer'),
    id: usualColumn('id'),
    title: column('title'),
    tags: column('tags'),
    cluster: usualColumn('cluster'),
    options: optionColumns(finder, parameters.options, names),
    grader: graderOrColumn(finder, parameters.grader),
    tolerance: numberOrColumn(finder, 'tolerance', parameters.tolerance),
    difficulty: numberOrColumn(finder, 'difficulty', parameters.difficulty),
    licence: text(parameters.licence),
    source: text(parameters.source),
    found,
  }
  if (problems.length > 0) throw new UserError(problems)
  found.push(...unusedColumns(source, names))
  return columns
}

/** Columns that have the name of a parameter may be meant for it, but their values may mean something else. */
function unusedColumns({ parameters }: SuiteSource, names: readonly string[]): string[] {
  const parts: readonly Parameter[] = ['title', 'tags', 'difficulty', 'grader', 'tolerance', 'licence']
  return parts.flatMap((part) => {
    const name = names.find((one) => one.toLowerCase() === part)
    return name === undefined || parameters[part] !== undefined
      ? []
      : [`column "${name}" is not used (write ?${part}=${name} to use it)`]
  })
}

function optionColumns(
  { named, usualColumn, found }: ColumnFinder,
  given: string | undefined,
  names: readonly string[],
): readonly string[] {
  if (given !== undefined && !names.includes(given))
    return given.split('+').map((name) => named('options', name))
  const one = usualColumn('options')
  if (one !== undefined) return [one]
  const letters = lettered(names)
  if (letters.length > 0) found.push(`options from columns ${listColumns(letters)}`)
  return letters
}

function lettered(names: readonly string[]): string[] {
  const letters = [...'ABCDEFGHIJ']
  const end = letters.findIndex((letter) => !names.includes(letter))
  const present = end === -1 ? letters : letters.slice(0, end)
  return present.length > 1 ? present : []
}

function graderOrColumn(
  { has, problems, there }: ColumnFinder,
  given: string | undefined,
): Columns['grader'] {
  const kind = kinds.find((one) => one === given)
  if (given === undefined || kind) return kind && { value: kind }
  if (has(given)) return { column: given }
  const fix = `Graders: ${kinds.join(', ')}. ${there}`
  problems.push({ where: `?grader=${given}`, what: 'is neither a grader nor a column', fix })
  return undefined
}

function numberOrColumn(
  { has, named, problems }: ColumnFinder,
  parameter: 'tolerance' | 'difficulty',
  given: string | undefined,
): Given<number> | undefined {
  if (given === undefined) return undefined
  const value = Number(given)
  if (has(given) || given.trim() === '' || Number.isNaN(value)) return { column: named(parameter, given) }
  const most = mostOf[parameter]
  if (value < 0 || value > most) {
    const what = most === 1 ? 'is not from 0 to 1' : 'is not at least 0'
    problems.push({ where: `?${parameter}=${given}`, what, fix: 'Write for example 0.5.' })
  }
  return { value }
}

/** The largest values of parameters that are numbers; the smallest is 0. */
export const mostOf = { tolerance: Number.MAX_VALUE, difficulty: 1 } as const

/** Column names that are found without a parameter, in lower case. */
const usual = {
  question: ['question', 'prompt', 'input', 'problem', 'instruction'],
  answer: ['answer', 'target', 'output', 'expected'],
  id: ['id'],
  options: ['options', 'choices'],
  cluster: ['cluster', 'repository', 'repo', 'template', 'category'],
} satisfies Partial<Record<Parameter, readonly string[]>>

interface ColumnFinder {
  /** Everything that is wrong, and what was found without a parameter. */
  problems: Problem[]
  found: string[]
  /** The columns that there are, as a sentence. */
  there: string
  has(name: string): boolean
  /** A column that a parameter names. */
  named(parameter: Parameter, name: string): string
  /** The column of a parameter, if it is given. */
  column(parameter: Parameter): string | undefined
  /** The column of a parameter, or the one with a usual name. */
  usualColumn(parameter: keyof typeof usual): string | undefined
  required(parameter: 'question' | 'answer'): string
}

function columnFinder({ path, parameters }: SuiteSource, names: readonly string[]): ColumnFinder {
  const problems: Problem[] = []
  const found: string[] = []
  const there = `Its columns: ${listColumns(names)}.`
  // In JSON a field may stand inside another: `data.question`.
  const has = (name: string) => names.includes(name) || names.includes(name.split('.')[0] as string)
  const report = (where: string, what: string, fix: string) => problems.push({ where, what, fix })

  const named = (parameter: Parameter, name: string) => {
    const copies = names.filter((one) => one === name).length
    const where = `?${parameter}=${name}`
    if (copies > 1) report(where, `${path} has ${copies} columns "${name}"`, 'Give each its own name.')
    if (!has(name)) {
      const near = didYouMean(name, names, '"')
      report(where, `${path} has no column "${name}"`, near ? `${near} ${there}` : there)
    }
    return name
  }
  const column = (parameter: Parameter) =>
    parameters[parameter] === undefined ? undefined : named(parameter, parameters[parameter])
  const usualColumn = (parameter: keyof typeof usual) => {
    const given = column(parameter)
    if (given !== undefined) return given
    const fitting = names.filter((name) => (usual[parameter] as string[]).includes(name.toLowerCase()))
    const [first, ...others] = fitting
    if (first === undefined) return undefined
    if (others.length === 0) found.push(`${parameter} from column "${first}"`)
    else {
      const what = `has more than one column for the ${parameter}: ${listColumns(fitting)}`
      report(path, what, `Write ?${parameter}=COLUMN with the one to use.`)
    }
    return first
  }
  const required = (parameter: 'question' | 'answer') => {
    const name = usualColumn(parameter)
    if (name !== undefined) return name
    const what = `has no column for the ${parameter}, such as ${usual[parameter].slice(0, 3).join(', ')}`
    report(path, what, `Name it: ?${parameter}=COLUMN. ${there}`)
    return ''
  }
  return { problems, found, there, has, named, column, usualColumn, required }
}

const mostListed = 20

function listColumns(names: readonly string[]): string {
  const shown = names.slice(0, mostListed).map((name) => JSON.stringify(shorten(name, 40)))
  return `${shown.join(', ')}${names.length > mostListed ? ` and ${names.length - mostListed} more` : ''}`
}
