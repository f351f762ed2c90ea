import { relative } from 'node:path'
import picomatch from 'picomatch'
import type { GuessedGraders, SkippedItems } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import type { NamedProgram } from '../../suites/suite.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { type BuiltInName, builtInNames, builtInTasks, loadBuiltIn, namesOfAll } from './built-in-tasks.ts'
import { drawSample } from './filter-tasks.ts'
import { pathWithoutFormat, type Selected, selectImported, tooFewNote } from './select-imported.ts'
import { leftOutNotes } from './table-notes.ts'
import { unknownName } from './unknown-name.ts'

/** The selected tasks in the order of the selection. */
export interface Selection {
  tasks: Task[]
  /** The selection with absolute paths, so that it means the same in every working directory. */
  selectors: string[]
  /** Notes for the user, such as a selector that asks for more tasks than there are. */
  notes: string[]
  /** The items of each selector that were left out, since they cannot be read. */
  skipped: SkippedItems[]
  /** How rows of tables that state no grader are graded. */
  guessed: GuessedGraders[]
  /** Files with functions that grade, which tables name. */
  programs: NamedProgram[]
}

interface SelectionOptions {
  /** Leaves out tasks of imported suites that cannot be read. Otherwise they are problems. */
  skipInvalid?: boolean | undefined
}

/**
 * Parses `--tasks` and reads the tasks: `all`, a number (a seeded sample, stratified by suite), names, globs, suites and
 * `NAME:PATH[:slice]`, separated by commas. A task that is selected twice counts once. Throws `UserError` with all problems,
 * also if two tasks have one name.
 */
export async function selectTasks(
  text: string,
  seed: number,
  options: SelectionOptions = {},
): Promise<Selection> {
  const selection = await readSelection(text, seed, options)
  const problems = sameNameProblems(selection.tasks)
  if (problems.length > 0) throw new UserError(problems)
  return selection
}

/** Reads the tasks like `selectTasks`, but allows two tasks with one name: older runs may have such a selection. */
export async function readSelection(
  text: string,
  seed: number,
  { skipInvalid = false }: SelectionOptions = {},
): Promise<Selection> {
  const problems: Problem[] = []
  const chosen = new Map<string, Task>()
  const selectors: string[] = []
  const notes: string[] = []
  const skipped: SkippedItems[] = []
  const guessed: GuessedGraders[] = []
  const programs: NamedProgram[] = []
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  if (items.length === 0)
    problems.push({
      where: '--tasks',
      what: 'does not name a task',
      fix: 'Use all, a number, names, globs or NAME:PATH.',
    })
  for (const item of items) {
    const result = item.includes(':')
      ? await selectImported(item, skipInvalid)
      : await selectBuiltIn(item, seed)
    problems.push(...result.problems)
    selectors.push(result.selector)
    notes.push(...(result.notes ?? []))
    if (result.skipped) skipped.push(result.skipped)
    guessed.push(...(result.guessed ?? []))
    programs.push(...(result.programs ?? []))
    for (const task of result.tasks) chosen.set(`${task.ref} ${task.origin}`, task)
  }
  if (problems.length > 0) throw new UserError(problems)
  const all = [...notes, ...skipped.flatMap(leftOutNotes)]
  return { tasks: [...chosen.values()], selectors, notes: all, skipped, guessed, programs }
}

async function selectBuiltIn(item: string, seed: number): Promise<Selected> {
  const all = builtInNames()
  const found = (names: readonly BuiltInName[]): Selected => ({ ...loadBuiltIn(names), selector: item })
  const nothing = (problem: Problem): Selected => ({ tasks: [], problems: [problem], selector: item })
  const where = `--tasks ${item}`
  if (item === 'all') return { ...builtInTasks(namesOfAll()), selector: item }
  if (/^\d+$/.test(item)) {
    if (Number(item) < 1)
      return nothing({ where, what: 'selects no task', fix: 'Use a number of at least 1.' })
    // A broken task folder would silently change the sample.
    const names = namesOfAll()
    const { problems } = builtInTasks(names)
    return {
      ...found(drawSample(names, { size: Number(item), seed, stratumOf: ({ suite }) => suite })),
      problems,
      notes: tooFewNote(item, Number(item), names.length),
    }
  }
  const exact = all.filter(({ ref, suite, id }) => ref === item || id === item || suite === item)
  if (exact.length > 0) return found(exact)
  const path = await pathWithoutFormat(item)
  if (path) return nothing(path)
  if (/[*?[{!]/.test(item)) {
    const matches = picomatch(item)
    const matched = all.filter(({ ref, id }) => matches(ref) || matches(id))
    if (matched.length > 0) return found(matched)
    return nothing({ where, what: 'matches no task', fix: 'See bench tasks.' })
  }
  const names = [...new Set(['all', ...all.map(({ suite }) => suite), ...all.map(({ id }) => id)])]
  return nothing(unknownName(where, 'task or suite', item, names, 'bench tasks'))
}

const mostListed = 5

const fix =
  'Give one of them another name, or run them as two runs. A suite is named after its folder, and a HumanEval task after its task_id, in which signs become dashes.'

/**
 * Returns a problem for each task that has the name of another one: records and tables could not tell them apart. Names that
 * differ only by case count as one, because many file systems and tools ignore case.
 */
function sameNameProblems(tasks: readonly Pick<Task, 'ref' | 'origin'>[]): Problem[] {
  const first = new Map<string, Pick<Task, 'ref' | 'origin'>>()
  const found: Problem[] = []
  for (const task of tasks) {
    const earlier = first.get(task.ref.toLowerCase())
    if (!earlier) first.set(task.ref.toLowerCase(), task)
    else found.push({ where: sourceOf(task), what: sameNameText(earlier, task) })
  }
  const more = found.length - mostListed
  return found.slice(0, mostListed).map((problem, place, listed) => ({
    ...problem,
    ...(place === listed.length - 1 && {
      fix: more > 0 ? `${fix} (${more} more tasks have this problem.)` : fix,
    }),
  }))
}

const sameNameText = (one: Pick<Task, 'ref' | 'origin'>, other: Pick<Task, 'ref' | 'origin'>) =>
  one.ref === other.ref
    ? `is called ${other.ref}, like the task of ${sourceOf(one)}`
    : `is called ${other.ref}, which differs only by case from ${one.ref} of ${sourceOf(one)}`

function sourceOf({ origin }: Pick<Task, 'origin'>): string {
  const path = relative(process.cwd(), origin)
  return path.startsWith('..') ? origin : path
}
