import type { Agent } from '../../agents/agent.ts'
import { isGated } from '../../agents/what-answers.ts'
import { runsCode } from '../../graders/registry.ts'
import { temporaryFolderFault } from '../../sandbox/machine/temporary-folder.ts'
import {
  type LazySandbox,
  lazySandbox,
  type SandboxChoice,
  sandboxChoices,
} from '../../sandbox/open-sandbox.ts'
import type { Task } from '../../schema/task.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import type { RunOptions } from '../config/run-options.ts'
import { oneOf } from '../values/parse-values.ts'

/** What to run code in, as `--sandbox` and `--allow-unsandboxed` say. */
export interface SelectedSandbox extends LazySandbox {
  choice: SandboxChoice
  allowUnsandboxed: boolean
}

/** Reads the options; opens nothing yet. */
export function selectSandbox(
  problems: Problem[],
  { sandbox, allowUnsandboxed }: Pick<RunOptions, 'sandbox' | 'allowUnsandboxed'>,
): SelectedSandbox {
  const choice = oneOf(problems, '--sandbox', sandbox, sandboxChoices, 'auto')
  return { ...lazySandbox(choice), choice, allowUnsandboxed: allowUnsandboxed === true }
}

/** What a run is made of that the sandbox's gate looks at. */
interface SandboxedRun {
  agents: Iterable<Agent>
  tasks: Iterable<Task>
}

/**
 * Checks before a run that its code may run in the sandbox. The gate asks only where something would run: an adapter that
 * was named has to work then, and what paid agents write, or an agent that is a program, needs all attacks held, or the
 * user's word. Returns a warning where that word was needed.
 */
export async function requireSandbox(
  sandbox: SelectedSandbox,
  run: SandboxedRun,
): Promise<string | undefined> {
  const { choice, allowUnsandboxed } = sandbox
  const agents = [...run.agents]
  const program = agents.find(({ isProgram }) => isProgram)
  const hasCode = [...run.tasks].some(runsCode)
  // Other agents hand in what the tasks hold or what a module of the user's says.
  const gated = program ?? (hasCode ? agents.find(isGated) : undefined)
  if (!gated && (!hasCode || choice === 'auto' || choice === 'none')) return undefined
  const fault = temporaryFolderFault()
  if (fault) throw new UserError({ where: 'TMPDIR', what: fault.missing, fix: fault.remedy })
  const { level, adapter, remedy = '' } = await sandbox.open()
  if (!gated || level === 'full') return undefined
  const held = level === 'partial' ? `${adapter}, which holds only some attacks` : 'no sandbox at all'
  if (allowUnsandboxed)
    return `${program ? `the program of ${gated.name}` : `code that ${gated.name} writes`} runs in ${held}, as --allow-unsandboxed says. ${remedy}`
  throw new UserError({
    where: `agent ${gated.name}`,
    what: `${program ? 'is a program' : 'writes code'} that would run in ${held} (level ${level})`,
    fix: `${remedy} See bench doctor. Or add --allow-unsandboxed, on a machine with nothing to lose.`,
  })
}
