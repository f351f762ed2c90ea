import { redactTask } from '../../loop/branch/redact-inputs.ts'
import { filterTasks } from '../../loop/plan/filter-tasks.ts'
import { selectTasks } from '../../loop/plan/select-tasks.ts'
import { findTools } from '../../sandbox/tools/tools.ts'
import type { TaskFilter } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import { type Problem, problemAt, UserError } from '../../text/errors.ts'
import type { Redactor } from '../../text/redact.ts'
import type { RunOptions } from '../config/run-options.ts'
import { createRequestTask, createTextTask } from './request-task.ts'
import { parseFilter } from './select-filtered.ts'

/** Returns the tasks of `--tasks`, or the single task of a free request. Throws `UserError`. */
export async function selectRunTasks(
  options: RunOptions,
  seed: number,
  problems: Problem[],
  redact: Redactor | undefined,
) {
  if (options.part?.request) {
    const asked = { ...options.part.request, yes: options.yes }
    const { task, request, notes } = await createTextTask(asked, redact)
    return { tasks: [task], selectors: [], taskFilter: undefined, request, notes, programs: [] }
  }
  if (options.instruction === undefined && options.workspace === undefined) {
    if (options.include !== undefined && options.include.length > 0)
      problems.push({
        where: '--include',
        what: 'requires --instruction and --workspace',
        fix: 'Remove it, or add both: it names a path in the workspace of a free request.',
      })
    if (options.tasks === undefined)
      throw new UserError(problemAt('--tasks', 'is missing', 'Write --tasks all, or see bench tasks.'))
    return { ...(await selectListed(options.tasks, options, seed, problems)), request: undefined }
  }
  if (options.tasks !== undefined)
    problems.push(problemAt('--tasks', 'conflicts with --instruction', 'Use one of them.'))
  for (const option of ['tag', 'where', 'sample'] as const)
    if (options[option] !== undefined)
      problems.push({ where: `--${option}`, what: 'selects among tasks', fix: 'Remove it, or give --tasks.' })
  if (options.instruction === undefined)
    throw new UserError(problemAt('--workspace', 'requires --instruction', 'Add --instruction FILE.'))
  if (options.workspace === '')
    throw new UserError(problemAt('--workspace', 'is empty', 'Give the folder to work on, or remove it.'))
  const { instruction, workspace, include, yes } = options
  if (workspace === undefined && include !== undefined && include.length > 0)
    problems.push({
      where: '--include',
      what: 'requires --workspace',
      fix: 'Add --workspace DIR, the folder that contains the path.',
    })
  const { task, request, notes } = await createRequestTask({ instruction, workspace, include, yes }, redact)
  return { tasks: [task], selectors: [], taskFilter: undefined, request, notes, programs: [] }
}

async function selectListed(selection: string, options: RunOptions, seed: number, problems: Problem[]) {
  const before = problems.length
  const taskFilter: TaskFilter | undefined = parseFilter(problems, options, seed)
  const { skipInvalid } = options
  const selected = await selectTasks(selection, seed, { skipInvalid })
  if (!taskFilter || problems.length > before) return { ...selected, taskFilter: undefined }
  const { tasks, notes } = filterTasks(selected.tasks, taskFilter)
  return { ...selected, tasks, notes: [...selected.notes, ...notes], taskFilter }
}

/** Removes tasks whose tools are missing, with a warning for each tool. Such tasks are not run and do not count as failed. */
export async function skipTasksWithoutTools(
  tasks: readonly Task[],
  problems: Problem[],
  redact?: Redactor,
): Promise<{ tasks: Task[]; warnings: string[] }> {
  const required = [...new Set(tasks.flatMap(({ spec }) => spec.requires))]
  const missing = (await findTools(required)).filter(({ found }) => !found)
  const runnable = tasks.filter(({ spec }) => !missing.some(({ name }) => spec.requires.includes(name)))
  const warnings = missing.map(({ name, remedy }) => {
    const count = tasks.filter(({ spec }) => spec.requires.includes(name)).length
    return `${count} task(s) are not run: they require ${name}, which is not installed. ${remedy}`
  })
  if (runnable.length === 0 && tasks.length > 0)
    problems.push({ where: '--tasks', what: 'no task can be run', fix: warnings.join(' ') })
  return { tasks: runnable.map((task) => redactTask(task, redact)), warnings }
}
