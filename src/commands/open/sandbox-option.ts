import type { Agent } from '../../agents/agent.ts'
import { isPaidOrProgram, isRecorded } from '../../agents/paid-or-simulated.ts'
import { runsCode } from '../../graders/registry.ts'
import { temporaryFolderFault } from '../../sandbox/machine/temporary-folder.ts'
import {
  type LazySandbox,
  lazySandbox,
  type SandboxChoice,
  sandboxChoices,
} from '../../sandbox/open-sandbox.ts'
import type { SessionSandbox } from '../../schema/ledger/session.ts'
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

/** What a run may say of its sandbox before its first trial. */
export interface SandboxCheck {
  notes: readonly string[]
  /** Undefined if no code will run. */
  sandboxed?: SessionSandbox
}

/**
 * Checks before a run that the sandbox is strong enough, and opens it if code will run: then a named adapter has to work. Code of paid
 * agents and of recorded replies, which checks, graders and the programs of a method run, agents that are programs, and servers of tools require the level
 * `full` or `--allow-unsandboxed`. So does all code if a sandbox is installed but does not work. Throws `UserError`.
 */
export async function requireSandbox(sandbox: SelectedSandbox, run: SandboxedRun): Promise<SandboxCheck> {
  const { allowUnsandboxed } = sandbox
  const agents = [...run.agents]
  const program = agents.find(({ isProgram }) => isProgram)
  const hasPrograms = [...(run.strategies ?? [])].some(({ programs }) => programs !== undefined)
  const hasCode = hasPrograms || [...run.tasks].some(runsCode)
  const [server] = run.servers ?? []
  if (!program && !server && !hasCode) return { notes: [] }
  const fault = temporaryFolderFault()
  // A model wrote the recorded replies. Other free agents submit only content of the tasks or of the user's own module.
  const writer =
    program ?? (hasCode ? agents.find((agent) => isPaidOrProgram(agent) || isRecorded(agent)) : undefined)
  const known = guardedBy(program, server, writer)
  // A run of simulated agents whose grading then fails reports it in each trial.
  if (fault && !known && sandbox.choice === 'auto') return { notes: [] }
  if (fault) throw new UserError({ where: 'TMPDIR', what: fault.missing, fix: fault.remedy })
  const { level, adapter, remedy = '', broken, notes } = await sandbox.open()
  const sandboxed = { level, adapter, ...(level !== 'full' && { reason: remedy }) }
  if (level === 'full') return { notes, sandboxed }
  const place = level === 'partial' ? `${adapter}, which blocks only some attacks` : 'no sandbox'
  const guarded = known ?? (broken ? guardedBy(undefined, undefined, agents[0]) : undefined)
  if (!guarded) return { notes: [...notes, `code runs in ${place} (level ${level}). ${remedy}`], sandboxed }
  if (allowUnsandboxed)
    return {
      notes: [...notes, `${guarded.subject} runs in ${place} because of --allow-unsandboxed. ${remedy}`],
      sandboxed,
    }
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
      does: isRecorded(writer) ? 'has code of a model' : 'writes code',
      subject: isRecorded(writer) ? `the code of ${writer.name}` : `code that ${writer.name} writes`,
    }
  )
}
