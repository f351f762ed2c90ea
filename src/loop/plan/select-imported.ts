import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { GuessedGraders, SkippedItems } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import { loadSuite } from '../../suites/load-suite.ts'
import { recognisePath } from '../../suites/recognise.ts'
import { importers } from '../../suites/registry.ts'
import { type NamedSource, parseSource, sourceText } from '../../suites/select.ts'
import type { Importer, NamedProgram } from '../../suites/suite.ts'
import type { Problem } from '../../text/errors.ts'
import { guessedGraders, guessNotes } from './table-notes.ts'
import { unknownName } from './unknown-name.ts'

const sliceRemedy = 'Use another slice: 20 is the first 20 tasks, 10-19 are tasks 10 to 19, counted from 0.'

/** Reads the tasks of `NAME:PATH[?parameters][:slice]`. With `skipInvalid` those that cannot be read are counted and left out. */
export async function selectImported(item: string, skipInvalid: boolean): Promise<Selected> {
  const parsed = parseSource(item)
  const { name, path, parameters, range } = parsed
  const where = `--tasks ${item}`
  const nothing = (...problems: Problem[]): Selected => ({ tasks: [], problems, selector: item })
  const importer = importers.find((known) => known.name === name)
  if (!importer) {
    // `questions.csv:20` has no format, but a slice.
    const withoutFormat = await pathWithoutFormat(item)
    if (withoutFormat) return nothing(withoutFormat)
    const names = importers.map((known) => known.name)
    return nothing(unknownName(where, 'suite format', name, names, 'bench tasks'))
  }
  const known = Object.keys(importer.parameters ?? {})
  const unknown = Object.keys(parameters).filter((parameter) => !known.includes(parameter))
  if (unknown.length > 0)
    return nothing(
      ...unknown.map((parameter) =>
        unknownName(where, `parameter of ${name}`, parameter, known, 'bench tasks'),
      ),
    )
  const absolute = resolve(path)
  const [, before = '', end] = /^(.+):([^:/\\]+)$/.exec(path) ?? []
  if (end !== undefined && !existsSync(absolute) && existsSync(resolve(before)))
    return nothing({ where, what: `"${end}" is not a slice of ${before}`, fix: sliceRemedy })
  const selector = sourceText({ ...parsed, path: absolute })
  const loaded = await loadSuite(importer, { path: absolute, parameters }, { range, skipInvalid })
  const { tasks, problems, read, skipped } = loaded
  if (read === 0 && problems.length > 0) {
    const other = await otherFormat(importer, parsed, absolute)
    if (other) return nothing(other)
  }
  if (problems.length === 0 && tasks.length === 0)
    return { ...nothing({ where, what: `selects none of its ${read} tasks`, fix: sliceRemedy }), selector }
  const guessed = guessedGraders(selector, loaded.guesses)
  const notes = [
    ...loaded.notes,
    ...guessNotes(item, guessed, loaded.guesses),
    ...issueNotes(item, tasks),
    ...(range ? tooFewNote(item, range.to + 1, read) : []),
  ]
  const items = loaded.leftOut.map(({ where, what }) => ({
    where: where.replace(absolute, basename(absolute)),
    what,
  }))
  return {
    ...{ tasks, problems: pointToSkipping(problems, skipped), selector, notes, guessed },
    ...(skipped > 0 && { skipped: { source: selector, count: skipped, items } }),
    programs: loaded.programs,
  }
}

async function otherFormat(
  importer: Importer,
  { name, path, range }: NamedSource,
  absolute: string,
): Promise<Problem | undefined> {
  const other = await recognisePath(absolute, importers)
  if (other === undefined || other === importer) return undefined
  const right = `${other.name}:${path}${range ? `:${range.text}` : ''}`
  return {
    where: `--tasks ${name}:${path}`,
    what: `looks like ${other.name}`,
    fix: `Write ${right}.`,
  }
}

/** Says at the last problem of single tasks that they can be left out. */
function pointToSkipping(problems: readonly Problem[], skipped: number): Problem[] {
  const last = problems.at(-1)
  if (last === undefined || skipped === 0) return [...problems]
  const fix = `${last.fix ?? ''} Or leave out what cannot be read: --skip-invalid.`.trim()
  return [...problems.slice(0, -1), last.fix?.includes('--skip-invalid') ? last : { ...last, fix }]
}

function issueNotes(item: string, tasks: readonly Task[]): string[] {
  const [first, ...others] = tasks.filter(({ spec }) => (spec.knownIssues ?? []).length > 0)
  if (first === undefined) return []
  const names = [first, ...others].slice(0, 5).map(({ spec }) => spec.id)
  const more = others.length >= 5 ? ` and ${others.length - 4} more` : ''
  return [
    `--tasks ${item}: known issues of ${names.join(', ')}${more}; the first: ${first.spec.knownIssues?.[0]}`,
  ]
}

/** What one selector gives. */
export interface Selected {
  tasks: readonly Task[]
  problems: Problem[]
  selector: string
  /** For the user. */
  notes?: readonly string[]
  /** Items of the source that could not be read and were left out; absent if there were none. */
  skipped?: SkippedItems
  /** How rows that state no grader are graded. */
  guessed?: readonly GuessedGraders[]
  /** Files with functions that grade, which the source names. */
  programs?: readonly NamedProgram[]
}

/** Returns a note, not an error, if there are fewer tasks than wanted: a resumed run repeats its selection, and tasks may be gone. */
export function tooFewNote(item: string, wanted: number, there: number): string[] {
  if (wanted <= there) return []
  return [`--tasks ${item} asks for ${wanted} tasks, but there are ${there}; all of them are used`]
}

const isDataFile = /\.(?:csv|tsv|jsonl|ndjson|json|xlsx|parquet)(?:\.gz)?$/i

/** Returns the problem of a selector that is a path, with the format to write before it. Undefined if it is no path. */
export async function pathWithoutFormat(item: string): Promise<Problem | undefined> {
  const where = `--tasks ${item}`
  const [, path = '', rest = ''] = /^([^?]*?)((?:\?.*?)?(?::\d+(?:-\d+)?)?)$/s.exec(item) ?? []
  if (path === '' || !existsSync(resolve(path))) {
    // `humanevl:x.jsonl` has a format, whose name is misspelt.
    if (!isDataFile.test(path) || /^[\w-]{2,}:/.test(path)) return undefined
    return { where, what: `${path} does not exist`, fix: `Check the path, and write it as in csv:${path}.` }
  }
  const known = await recognisePath(resolve(path), importers)
  if (known)
    return {
      where,
      what: `is a path without a format; it looks like ${known.name}`,
      fix: `Write ${known.name}:${path}${rest}.`,
    }
  const names = importers.map(({ name }) => name).join(', ')
  const fix = `Write the format before it, as in csv:${path}. Formats: ${names}; see bench tasks.`
  return { where, what: 'is a path without a format', fix }
}
