import { selectTasks } from '../../loop/plan/select-tasks.ts'
import { findTools } from '../../sandbox/tools/tools.ts'
import type { Task } from '../../schema/task.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import type { Redactor } from '../../text/redact.ts'
import type { RunOptions } from '../config/run-options.ts'
import { createRequestTask } from './request-task.ts'

/** The tasks that `--tasks` names, or the one task that a free request makes. Throws `UserError`. */
export async function selectRunTasks(
  options: RunOptions,
  seed: number,
  problems: Problem[],
  redact: Redactor | undefined,
) {
  if (options.instruction === undefined && options.workspace === undefined) {
    if (options.include !== undefined && options.include.length > 0)
      problems.push({
        where: '--include',
        what: 'comes without --instruction and --workspace',
        fix: 'It names a path in the workspace of a free request; leave it out.',
      })
    if (options.tasks === undefined)
      throw new UserError({
        where: '--tasks',
        what: 'is missing',
        fix: 'Write --tasks all, or see bench tasks.',
      })
    return { ...selectTasks(options.tasks, seed), request: undefined }
  }
  if (options.tasks !== undefined)
    problems.push({
      where: '--tasks',
      what: 'does not go with --instruction',
      fix: 'Give the one or the other.',
    })
  if (options.instruction === undefined)
    throw new UserError({
      where: '--workspace',
      what: 'comes without --instruction',
      fix: 'Add --instruction FILE.',
    })
  if (options.workspace === '')
    throw new UserError({
      where: '--workspace',
      what: 'is empty',
      fix: 'Give the folder to work on, or leave it out.',
    })
  const { instruction, workspace, include, yes } = options
  if (workspace === undefined && include !== undefined && include.length > 0)
    problems.push({
      where: '--include',
      what: 'comes without --workspace',
      fix: 'Add --workspace DIR, the folder in which its path lies.',
    })
  const { task, request, notes } = await createRequestTask({ instruction, workspace, include, yes }, redact)
  return { tasks: [task], selectors: [], request, notes }
}

/** Leaves out tasks whose tools are missing, and says so before the run: they are not run, which is no failure. */
export async function skipTasksWithoutTools(
  tasks: readonly Task[],
  problems: Problem[],
): Promise<{ tasks: Task[]; warnings: string[] }> {
  const required = [...new Set(tasks.flatMap(({ spec }) => spec.requires))]
  const missing = (await findTools(required)).filter(({ found }) => !found)
  const left = tasks.filter(({ spec }) => !missing.some(({ name }) => spec.requires.includes(name)))
  const warnings = missing.map(({ name, remedy }) => {
    const count = tasks.filter(({ spec }) => spec.requires.includes(name)).length
    return `${count} task(s) are not run: they require ${name}, which is not here. ${remedy}`
  })
  if (left.length === 0 && tasks.length > 0)
    problems.push({ where: '--tasks', what: 'no task can be run', fix: warnings.join(' ') })
  return { tasks: left, warnings }
}
