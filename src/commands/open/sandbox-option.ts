import type { Agent } from '../../agents/agent.ts'
import { isPaidOrProgram } from '../../agents/paid-or-simulated.ts'
import { runsCode } from '../../graders/registry.ts'
import { temporaryFolderFault } from '../../sandbox/machine/temporary-folder.ts'
import {
  type LazySandbox,
  lazySandbox,
  type SandboxChoice,
  sandboxChoices,
} from '../../sandbox/open-sandbox.ts'
import type { Task } from '../../schema/task.ts'
import type { Strategy } from '../../strategy.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import type { RunOptions } from '../config/run-options.ts'
import { parseChoice } from '../values/parse-values.ts'

/** The sandbox that `--sandbox` and `--allow-unsandboxed` select. */
export interface SelectedSandbox extends LazySandbox {
  choice: SandboxChoice
  allowUnsandboxed: boolean
}

/** Reads the sandbox options. The sandbox is opened later. */
export function selectSandbox(
  problems: Problem[],
  { sandbox, allowUnsandboxed }: Pick<RunOptions, 'sandbox' | 'allowUnsandboxed'>,
): SelectedSandbox {
  const choice = parseChoice(problems, '--sandbox', sandbox, sandboxChoices, 'auto')
  return { ...lazySandbox(choice), choice, allowUnsandboxed: allowUnsandboxed === true }
}

/** The parts of a run that decide whether it needs a sandbox. */
interface SandboxedRun {
  agents: Iterable<Agent>
  tasks: Iterable<Task>
  /** The strategies of its methods; without them no method starts programs. */
  strategies?: Iterable<Pick<Strategy, 'programs'>>
  /** The tools that are servers: programs that the user names. */
  servers?: Iterable<{ id: string }>
}

/**
 * Checks before a run that the sandbox is strong enough. If code will run, a named adapter has to work. Code of paid agents, which
 * checks, graders and the programs of a method run, agents that are programs, and servers of tools require the level `full` or
 * `--allow-unsandboxed`. Returns a warning if that option was needed. Throws `UserError`.
 */
export async function requireSandbox(
  sandbox: SelectedSandbox,
  run: SandboxedRun,
): Promise<string | undefined> {
  const { choice, allowUnsandboxed } = sandbox
  const agents = [...run.agents]
  const program = agents.find(({ isProgram }) => isProgram)
  const hasPrograms = [...(run.strategies ?? [])].some(({ programs }) => programs !== undefined)
  const hasCode = hasPrograms || [...run.tasks].some(runsCode)
  // Other agents only submit content of the tasks or of the user's own module.
  const writer = program ?? (hasCode ? agents.find(isPaidOrProgram) : undefined)
  const [server] = run.servers ?? []
  const guarded = guardedBy(program, server, writer)
  if (!guarded && (!hasCode || choice === 'auto' || choice === 'none')) return undefined
  const fault = temporaryFolderFault()
  if (fault) throw new UserError({ where: 'TMPDIR', what: fault.missing, fix: fault.remedy })
  const { level, adapter, remedy = '' } = await sandbox.open()
  if (!guarded || level === 'full') return undefined
  const place = level === 'partial' ? `${adapter}, which blocks only some attacks` : 'no sandbox'
  if (allowUnsandboxed) return `${guarded.subject} runs in ${place} because of --allow-unsandboxed. ${remedy}`
  throw new UserError({
    where: guarded.where,
    what: `${guarded.does} that would run in ${place} (level ${level})`,
    fix: `${remedy} See bench doctor. Or add --allow-unsandboxed on a machine that holds nothing of value.`,
  })
}

/** Returns what needs the sandbox, in the words of messages: an agent's program, else a server of tools, else the code of an agent. */
function guardedBy(
  program: Agent | undefined,
  server: { id: string } | undefined,
  writer: Agent | undefined,
) {
  if (program)
    return { where: `agent ${program.name}`, does: 'is a program', subject: `the program of ${program.name}` }
  if (server)
    return { where: `tool ${server.id}`, does: 'is a program', subject: `the program of tool ${server.id}` }
  return (
    writer && {
      where: `agent ${writer.name}`,
      does: 'writes code',
      subject: `code that ${writer.name} writes`,
    }
  )
}
