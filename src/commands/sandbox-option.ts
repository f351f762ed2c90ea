import type { Agent } from '../agents/agent.ts'
import { type Problem, UserError } from '../errors.ts'
import { type LazySandbox, lazySandbox, type SandboxChoice, sandboxChoices } from '../sandbox/open-sandbox.ts'
import { temporaryFolderFault } from '../sandbox/temporary-folder.ts'
import { oneOf } from './one-of.ts'
import type { RunOptions } from './run-options.ts'

/** What to run code in, as `--sandbox` and `--allow-unsandboxed` say. */
export interface ChosenSandbox extends LazySandbox {
  choice: SandboxChoice
  allowUnsandboxed: boolean
}

/** Reads the options; opens nothing yet. */
export function chosenSandbox(
  problems: Problem[],
  { sandbox, allowUnsandboxed }: Pick<RunOptions, 'sandbox' | 'allowUnsandboxed'>,
): ChosenSandbox {
  const choice = oneOf(problems, '--sandbox', sandbox, sandboxChoices, 'auto')
  return { ...lazySandbox(choice), choice, allowUnsandboxed: allowUnsandboxed === true }
}

/**
 * Sees before a run that its code may run in the sandbox: an adapter that was named has to work, and code that a live
 * agent writes needs all attacks held, or the user's word. Gives a warning where that word was needed.
 */
export async function admitRun(
  sandbox: ChosenSandbox,
  mode: 'dev' | 'live',
  agents: Iterable<Agent>,
): Promise<string | undefined> {
  const { choice, allowUnsandboxed } = sandbox
  // Simulated agents, oracle and no-op hand in what comes from the tasks; any other one runs what a model wrote.
  const live = mode === 'live' ? [...agents].find(({ paid, simulated }) => paid || !simulated) : undefined
  if (!live && (choice === 'auto' || choice === 'none')) return undefined
  const fault = temporaryFolderFault()
  if (fault) throw new UserError({ where: 'TMPDIR', what: fault.missing, fix: fault.remedy })
  const { level, adapter, remedy = '' } = await sandbox.open()
  if (!live || level === 'full') return undefined
  const held = level === 'partial' ? `${adapter}, which holds only some attacks` : 'no sandbox at all'
  if (allowUnsandboxed)
    return `code that ${live.name} writes runs in ${held}, as --allow-unsandboxed says. ${remedy}`
  throw new UserError({
    where: `agent ${live.name}`,
    what: `writes code that would run in ${held} (level ${level})`,
    fix: `${remedy} See bench doctor. Or add --allow-unsandboxed, on a machine with nothing to lose.`,
  })
}
