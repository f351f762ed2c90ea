import { type Problem, UserError } from '../../text/errors.ts'
import type { SuiteSource } from '../suite.ts'
import { type ColumnFinder, columnFinder, type Given, listColumns, mostOf } from './column-finder.ts'
import { graderNames, isOpen, nearGrader, type Parameter, parseGrader, type RowGrader } from './settings.ts'

/** Where the parts of a task stand. */
export interface Columns {
  question: string
  /** Absent only where rows may have no right answer. */
  answer?: string | undefined
  id?: string | undefined
  title?: string | undefined
  tags?: string | undefined
  cluster?: string | undefined
  /** None, one with a list, or one for each option. */
  options: readonly string[]
  grader?: Given<RowGrader> | undefined
  /** What graders of whole texts need. */
  text: TextColumns
  /** An answer that a row's pattern matches. */
  example?: string | undefined
  tolerance?: Given<number> | undefined
  difficulty?: Given<number> | undefined
  licence?: Given<string> | undefined
  source?: Given<string> | undefined
  /** What was found without a parameter, for the user. */
  found: readonly string[]
}

/** The parts of graders of whole texts: `rules`, `judge`, and files. */
export interface TextColumns {
  rubric?: Given<string> | undefined
  scale?: Given<string> | undefined
  words?: Given<string> | undefined
  facts?: Given<string> | undefined
  forbid?: Given<string> | undefined
  pass?: Given<number> | undefined
}

/**
 * Finds the columns that the parameters name, or those with a usual name. Throws `UserError` with all that are missing or could be
 * several, and with the columns that there are.
 */
export function findColumns(source: SuiteSource, names: readonly string[]): Columns {
  const finder = columnFinder(source, names)
  const { parameters } = source
  const { problems, found, column, usualColumn, required, text } = finder
  const grader = graderOrColumn(finder, parameters.grader)
  const mayBeOpen = grader !== undefined && ('column' in grader || isOpen(grader.value))
  const hasPatterns = grader !== undefined && ('column' in grader || grader.value === 'pattern')
  const columns: Columns = {
    question: required('question'),
    answer: mayBeOpen ? usualColumn('answer') : required('answer'),
    id: usualColumn('id'),
    title: column('title'),
    tags: column('tags'),
    cluster: usualColumn('cluster'),
    options: optionColumns(finder, parameters.options, names),
    grader,
    text: mayBeOpen ? textColumns(finder, parameters) : {},
    example: hasPatterns ? usualColumn('example') : undefined,
    tolerance: numberOrColumn(finder, 'tolerance', parameters.tolerance),
    difficulty: numberOrColumn(finder, 'difficulty', parameters.difficulty),
    licence: text('licence'),
    source: text('source'),
    found,
  }
  problems.push(...unreadParameters(source, grader))
  if (problems.length > 0) throw new UserError(problems)
  found.push(...unusedColumns(source, names))
  return columns
}

/** The graders that read a parameter, where only some do; the first is what its user probably meant. */
const readers: Partial<Record<Parameter, readonly (RowGrader | 'file')[]>> = {
  ...{ rubric: ['judge'], scale: ['judge'], words: ['rules'], facts: ['rules'], forbid: ['rules'] },
  ...{ pass: ['judge', 'rules', 'file'], example: ['pattern'], index: ['choice'] },
  ...{ tolerance: ['numeric'], decimal: ['numeric'], brackets: ['numeric'] },
}

/** Parameters that no row reads, since all rows have another grader. */
function unreadParameters({ parameters }: SuiteSource, grader: Columns['grader']): Problem[] {
  if (grader && 'column' in grader) return []
  const name = typeof grader?.value === 'object' ? 'file' : grader?.value
  // Without a name a row gets one of these.
  const graders = name === undefined ? ['numeric', 'choice', 'exact'] : [name]
  return Object.entries(readers).flatMap(([parameter, by]) => {
    const given = parameters[parameter]
    if (given === undefined || by.some((one) => graders.includes(one as string))) return []
    const fix = `Write ?grader=${by[0]} as well, or leave it out.`
    return [{ where: `?${parameter}=${given}`, what: `is read by ${by.join(', ')} alone`, fix }]
  })
}

/** Columns that have the name of a parameter may be meant for it, but their values may mean something else. */
function unusedColumns({ parameters }: SuiteSource, names: readonly string[]): string[] {
  const parts: readonly Parameter[] = ['title', 'tags', 'difficulty', 'tolerance', 'licence']
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
  { has, problems, there, usualColumn }: ColumnFinder,
  given: string | undefined,
): Columns['grader'] {
  if (given === 'auto') return undefined
  const grader = given === undefined ? undefined : parseGrader(given)
  if (grader) return { value: grader }
  if (given === undefined || has(given)) {
    const column = usualColumn('grader')
    return column === undefined ? undefined : { column }
  }
  problems.push({
    where: `?grader=${given}`,
    what: 'is neither a grader nor a column',
    fix: nearGrader(given) ?? `Graders: ${graderNames}. ${there}`,
  })
  return undefined
}

function textColumns(finder: ColumnFinder, { pass }: SuiteSource['parameters']): TextColumns {
  const { text, usualColumn } = finder
  const usual = (name: keyof TextColumns): Given<string> | undefined => {
    const given = text(name)
    const column = given ? undefined : usualColumn(name)
    return column === undefined ? given : { column }
  }
  const least = usual('pass')
  return {
    rubric: sentence(finder, usual('rubric')),
    scale: usual('scale'),
    words: usual('words'),
    facts: usual('facts'),
    forbid: usual('forbid'),
    pass: pass === undefined && least && 'column' in least ? least : numberOrColumn(finder, 'pass', pass),
  }
}

/** A rubric of one word is the name of a column that is not there. */
function sentence(
  { problems, there }: ColumnFinder,
  rubric: Given<string> | undefined,
): Given<string> | undefined {
  if (rubric && 'value' in rubric && !/\s/.test(rubric.value.trim()))
    problems.push({
      where: `?rubric=${rubric.value}`,
      what: 'is neither a column nor a sentence for the judges',
      fix: `Write a column, or what is wanted: ?rubric=It is polite. ${there}`,
    })
  return rubric
}

function numberOrColumn(
  { has, named, problems, there }: ColumnFinder,
  parameter: keyof typeof mostOf,
  given: string | undefined,
): Given<number> | undefined {
  if (given === undefined) return undefined
  const value = Number(given)
  if (has(given)) return { column: named(parameter, given) }
  const most = mostOf[parameter]
  if (given.trim() === '' || Number.isNaN(value)) {
    const fix = `Write a number, such as ${parameter}=0.5, or a column. ${there}`
    problems.push({ where: `?${parameter}=${given}`, what: 'is neither a number nor a column', fix })
    return undefined
  }
  if (value < 0 || value > most) {
    const what = most === 1 ? 'is not from 0 to 1' : 'is not at least 0'
    problems.push({ where: `?${parameter}=${given}`, what, fix: 'Write for example 0.5.' })
  }
  return { value }
}
