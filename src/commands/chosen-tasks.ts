import { type Problem, UserError } from '../errors.ts'
import { selectTasks } from '../loop/select-tasks.ts'
import type { Redactor } from '../redact.ts'
import { requestTask } from './request-task.ts'
import type { RunOptions } from './run-options.ts'

/** The tasks that `--tasks` names, or the one task that a free request makes. Throws `UserError`. */
export async function chosenTasks(
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
  const { task, request, notes } = await requestTask({ instruction, workspace, include, yes }, redact)
  return { tasks: [task], selectors: [], request, notes }
}
