import type { Problem } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'
import { shorten } from '../../text/shorten.ts'
import type { SuiteSource } from '../suite.ts'
import type { Parameter } from './settings.ts'

/** The same value for all rows, or the column that has it. */
export type Given<Value> = { value: Value } | { column: string }

/** The largest values of parameters that are numbers; the smallest is 0. */
export const mostOf = { tolerance: Number.MAX_VALUE, difficulty: 1, pass: 1 } as const

/** Column names that are found without a parameter, in lower case. */
const usual = {
  question: ['question', 'prompt', 'input', 'problem', 'instruction'],
  answer: ['answer', 'target', 'output', 'expected'],
  id: ['id'],
  options: ['options', 'choices'],
  cluster: ['cluster', 'repository', 'repo', 'template', 'category'],
  grader: ['grader'],
  rubric: ['rubric', 'criteria'],
  scale: ['scale'],
  words: ['words'],
  facts: ['facts'],
  forbid: ['forbid'],
  pass: ['pass'],
  example: ['example'],
} satisfies Partial<Record<Parameter, readonly string[]>>

/** Finds columns of a table by name, and collects what is wrong with the names. */
export interface ColumnFinder {
  /** Everything that is wrong, and what was found without a parameter. */
  problems: Problem[]
  found: string[]
  /** The columns that there are, as a sentence. */
  there: string
  has(name: string): boolean
  named(parameter: Parameter, name: string): string
  /** The column of a parameter, if it is given. */
  column(parameter: Parameter): string | undefined
  /** The column of a parameter, or the one with a usual name. */
  usualColumn(parameter: keyof typeof usual): string | undefined
  required(parameter: 'question' | 'answer'): string
  /** The column that a parameter names, or else its text. */
  text(parameter: Parameter): Given<string> | undefined
}

/** Returns a finder of the columns of a table. */
export function columnFinder({ path, parameters }: SuiteSource, names: readonly string[]): ColumnFinder {
  const problems: Problem[] = []
  const found: string[] = []
  const there = `Its columns: ${listColumns(names)}.`
  // In JSON a field may stand inside another: `data.question`.
  const has = (name: string) => names.includes(name) || names.includes(name.split('.')[0] as string)
  const report = (where: string, what: string, fix: string) => problems.push({ where, what, fix })
  // The header of a table whose cells another sign parts is one long name.
  const isOneColumn = parameters.delimiter !== undefined && names.length === 1

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
      const isOneName = new Set(fitting).size < fitting.length
      report(
        path,
        what,
        isOneName ? 'Give each its own name.' : `Write ?${parameter}=COLUMN with the one to use.`,
      )
    }
    return first
  }
  const required = (parameter: 'question' | 'answer') => {
    const name = usualColumn(parameter)
    if (name !== undefined) return name
    const what = `has no column for the ${parameter}, such as ${usual[parameter].slice(0, 3).join(', ')}`
    report(
      path,
      what,
      isOneColumn ? notParted(parameters.delimiter ?? '') : `Name it: ?${parameter}=COLUMN. ${there}`,
    )
    return ''
  }
  const text = (parameter: Parameter): Given<string> | undefined => {
    const given = parameters[parameter]
    return given === undefined ? undefined : has(given) ? { column: given } : { value: given }
  }
  return { problems, found, there, has, named, column, usualColumn, required, text }
}

const notParted = (delimiter: string) =>
  `Leave out ?delimiter=${delimiter}, or write the sign between its cells.`

const mostListed = 20

/** Lists columns for the user, the first twenty of them. */
export function listColumns(names: readonly string[]): string {
  const shown = names.slice(0, mostListed).map((name) => JSON.stringify(shorten(name, 40)))
  return `${shown.join(', ')}${names.length > mostListed ? ` and ${names.length - mostListed} more` : ''}`
}
