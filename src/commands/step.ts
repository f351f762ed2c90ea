import { selectTasks } from '../loop/plan/select-tasks.ts'
import { chooseMachine } from '../orchestration/machine/choose-machine.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { findConfig, readConfig } from './config/config-file.ts'
import type { RunOptions } from './config/run-options.ts'
import { documentsFor } from './methods/documents.ts'
import { type EndedRun, runAtTerminal } from './run-at-terminal.ts'
import { reportLimits, reportStop } from './session/report-end.ts'
import { readStep } from './step/read-step.ts'
import { reportStep } from './step/report-step.ts'

interface StepOptions extends RunOptions {
  input: readonly string[]
  task?: string
  request?: string
}

/**
 * `bench step FILE STATE`: runs one state of a workflow alone, as a run of method `fanout`, and prints what its agents wrote. Exit
 * code 0; 1 if the state failed; as for `bench run` if the run ended early.
 */
export default async function step(named: string, state: string, options: StepOptions): Promise<number> {
  // As after `--methods`.
  const file = named.replace(/^fanout:/, '')
  const { input, task, request, ...flags } = options
  const workProblem = await taskProblem(task, request)
  const config = flags.config ?? findConfig()
  const agents = typeof config === 'string' ? readConfig(config).config.agents : undefined
  const machine = chooseMachine(file, documentsFor({ name: 'fanout' }, true, agents))
  const inputs = readStep(machine, file, state, input, workProblem)
  return runAtTerminal(
    {
      ...flags,
      ...{ epochs: '1', notify: 'none' },
      part: {
        ...{ command: 'bench step', strategy: 'fanout', name: state },
        options: { workflow: file, only: state, inputs },
        ...(request !== undefined && { request: { id: 'request', text: request } }),
      },
      ...(task !== undefined && { tasks: task }),
    },
    (ended) => reportEnd(ended, options.json === true),
  )
}

async function taskProblem(task: string | undefined, request: string | undefined): Promise<Problem[]> {
  if (task !== undefined && request !== undefined)
    return [{ where: '--request', what: 'conflicts with --task', fix: 'Use one of them.' }]
  if (request?.trim() === '')
    return [{ where: '--request', what: 'is empty', fix: 'Write what the agents should do.' }]
  if (request !== undefined) return []
  if (task === undefined)
    return [
      {
        where: '--task',
        what: 'is missing: the state works on a task',
        fix: 'Add --task NAME (see bench tasks), or --request TEXT.',
      },
    ]
  return severalTasks(task)
}

/** Which tasks there are is known only here; a run would take all of them. */
async function severalTasks(task: string): Promise<Problem[]> {
  try {
    const { length } = (await selectTasks(task, 1)).tasks
    if (length < 2) return []
    return [{ where: `--task ${task}`, what: `names ${length} tasks`, fix: 'Name one task.' }]
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return error.problems.map((problem) => ({ ...problem, where: `--task ${task}` }))
  }
}

async function reportEnd({ executed, byPerson, isBroken }: EndedRun, json: boolean): Promise<number> {
  reportLimits(executed.end)
  if (executed.end.interrupted) {
    const code = reportStop(executed, byPerson)
    return isBroken() ? 1 : code
  }
  const isDone = reportStep(executed, json)
  return isDone && !isBroken() ? 0 : 1
}
