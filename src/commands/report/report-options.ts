import { unknownName } from '../../loop/plan/unknown-name.ts'
import { type FormatName, formats, type RunFormatName, runFormats } from '../../reports/registry.ts'
import type { Report } from '../../reports/report.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { withNear } from '../../text/near-word.ts'
import { checkOutputFile, runFileProblem } from '../terminal/output-file.ts'

/** The options of `bench report`, as typed. */
export interface ReportOptions {
  format: string
  baseline?: string
  tasks?: boolean
  pairs?: boolean
  coordination?: boolean
  interactions?: boolean
  properties?: boolean
  /** Prints only the tasks that changed sides; adds them to a page and to JSON. */
  flips?: boolean
  /** Prints only this section. */
  section?: string
  /** Keys of the columns of one table, with commas between them. */
  columns?: string
  /** Of LaTeX: the tables of a paper, or the others. */
  tables?: string
  /** Adds the notes that define words and procedures. */
  notes?: boolean
  out?: string
  figure?: string
  /** Path of a JUnit file that is written in addition to the report. */
  junit?: string
  /** Looks at a live run that is not whole without asking. */
  peek?: boolean
}

/** A run and its report, to be written as a page or as figures. */
export interface RunReport {
  folder: string
  manifest: RunManifest
  report: Report
  format: RunFormatName
  options: ReportOptions
}

/** Returns the format, checked against the other options and the number of runs. Throws `UserError` with every conflict. */
export function reportFormat(
  options: ReportOptions,
  runs: readonly string[],
): { table: FormatName } | { ofRun: RunFormatName } {
  const { format: name } = options
  const names = [...Object.keys(formats), ...Object.keys(runFormats)]
  if (!names.includes(name))
    throw new UserError(unknownName(`--format ${name}`, 'format', name, names, 'bench report --help'))
  const problems = Object.hasOwn(runFormats, name)
    ? ofRunProblems(options, name as RunFormatName)
    : tableProblems(options)
  if (runs.length > 1 && !joinableFormats.includes(name))
    problems.push({
      where: `--format ${name}`,
      what: 'supports only one run',
      fix: `Report the runs one by one, or in another format: ${joinableFormats.join(', ')}.`,
    })
  if (options.junit !== undefined && runs.length > 1)
    problems.push({
      where: `--junit ${options.junit}`,
      what: 'supports only one run',
      fix: 'Report the runs one by one.',
    })
  const files = [options.out, appendixFile(options)].filter((file) => file !== undefined)
  problems.push(
    ...tableChoiceProblems(options),
    ...files.flatMap((file) => runFileProblem('--out', file) ?? []),
  )
  checkOutputFile(problems, '--junit', options.junit)
  if (problems.length > 0) throw new UserError(problems)
  return Object.hasOwn(runFormats, name) ? { ofRun: name as RunFormatName } : { table: name as FormatName }
}

const tableChoices = ['paper', 'appendix'] as const

/** Returns which tables of LaTeX are wanted; undefined: all. */
export const tableChoice = ({ tables }: ReportOptions) => tableChoices.find((choice) => choice === tables)

/** Returns the file for the tables that a paper leaves out, beside the file of the others; undefined where none is wanted. */
export const appendixFile = (options: ReportOptions): string | undefined =>
  tableChoice(options) === 'paper' ? options.out?.replace(/(\.tex)?$/, '-appendix.tex') : undefined

function tableChoiceProblems(options: ReportOptions): Problem[] {
  const { tables, format } = options
  if (tables === undefined) return []
  const where = `--tables ${tables}`
  const parts = (
    ['section', 'columns', 'pairs', 'interactions', 'properties', 'flips', 'coordination'] as const
  ).filter((part) => options[part])
  if (tableChoice(options) === undefined)
    return [
      {
        where,
        what: 'is not a valid value',
        fix: withNear(tables, tableChoices, 'Write paper or appendix.'),
      },
    ]
  if (format !== 'latex') {
    const fix = 'Use --format latex, or choose with --section NAME (text, markdown) or --columns KEYS.'
    return [{ where, what: `does not apply to ${format}`, fix }]
  }
  return parts.map((part) => ({
    where: `--tables --${part}`,
    what: 'conflict: each chooses tables',
    fix: 'Leave one of them out.',
  }))
}

const joinableFormats = Object.entries(formats).flatMap(([name, { severalRuns }]) =>
  severalRuns ? [name] : [],
)

function tableProblems(options: ReportOptions): Problem[] {
  const { format, figure, columns } = options
  const problems: Problem[] = []
  const whole = (['interactions', 'properties', 'flips', 'coordination', 'tasks'] as const).filter(
    (part) => options[part],
  )
  if (columns !== undefined && format === 'json') problems.push(noColumns(columns, format))
  else if (columns !== undefined && whole.length > 0)
    problems.push({
      where: `--columns ${whole.map((part) => `--${part}`).join(' ')}`,
      what: 'conflict: columns are chosen for the table of methods, or with --pairs of pairs',
      fix: 'Leave one of them out.',
    })
  const alone = (['section', 'pairs', 'interactions', 'properties', 'flips', 'coordination'] as const).filter(
    (part) => options[part],
  )
  if (options.section !== undefined && !['text', 'markdown'].includes(format))
    problems.push({
      where: `--section ${options.section}`,
      what: `does not apply to ${format}`,
      fix: 'Leave it out, or use --format text or markdown.',
    })
  if (options.section !== undefined && columns !== undefined)
    problems.push({
      where: '--section --columns',
      what: 'conflict: columns are chosen for the table of methods, or with --pairs of pairs',
      fix: 'Leave one of them out.',
    })
  if (alone.length > 1)
    problems.push({
      where: alone.map((part) => `--${part}`).join(' '),
      what: 'conflict: each prints only one part',
      fix: 'Use one of them, or none for the whole report.',
    })
  if (figure !== undefined)
    problems.push({
      where: `--figure ${figure}`,
      what: `${format} has no figures`,
      fix: 'Use --format svg or --format pdf; --format html contains all figures.',
    })
  return problems
}

const noColumns = (columns: string, format: string): Problem => ({
  where: `--columns ${columns}`,
  what: `does not apply to ${format}`,
  fix: 'Leave it out, or use --format latex, csv, markdown or text.',
})

function ofRunProblems(options: ReportOptions, format: RunFormatName): Problem[] {
  const { tasks, pairs, coordination, interactions, properties, flips, notes, section } = options
  const { out, figure, columns } = options
  const problems: Problem[] = columns === undefined ? [] : [noColumns(columns, format)]
  for (const [flag, given] of [
    ['--tasks', tasks],
    ['--section', section],
    ['--pairs', pairs],
    ['--coordination', coordination],
    ['--interactions', interactions],
    ['--properties', properties],
    ['--flips', format === 'html' ? false : flips],
    ['--notes', notes],
  ] as const)
    if (given)
      problems.push({
        where: flag,
        what:
          format === 'html'
            ? 'applies to text tables only; the page contains everything'
            : 'applies to tables, not to figures',
        fix: 'Leave it out.',
      })
  if (figure !== undefined && format === 'html')
    problems.push({
      where: `--figure ${figure}`,
      what: 'selects one figure, but the page contains all of them',
      fix: 'Leave it out, or use --format svg.',
    })
  if (out === undefined && (format === 'pdf' || (format === 'svg' && figure === undefined)))
    problems.push({
      where: `--format ${format}`,
      what: format === 'pdf' ? 'cannot be printed to a terminal' : 'writes one file for each figure',
      fix: `Add --out DIR${format === 'svg' ? ', or select one with --figure NAME' : ''}.`,
    })
  return problems
}
