import { InfrastructureError } from '../text/errors.ts'
import type { ProgramEnd, SandboxResult, SandboxRun } from './sandbox.ts'

const crashes: ReadonlySet<string | null> = new Set([
  ...['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP'],
])

/**
 * Whether a signal ended a program that neither bench nor a limit of the sandbox explains. It may come from outside, as from the
 * out-of-memory killer or a person, or from the program itself: only where `fromOutside` is set, that is known.
 */
const wasKilled = ({ killedBy, ended, stopped }: ProgramEnd): boolean =>
  killedBy !== null && ended === undefined && !stopped

/** Whether a program was killed, and did not crash. For programs that run no code of agents, which could kill them. */
export const mayBeFromOutside = (end: ProgramEnd): boolean =>
  wasKilled(end) && (end.fromOutside === true || !crashes.has(end.killedBy))

/**
 * Wraps `run`: a command that was killed runs once more, since that may have come by chance. A second kill is the deed of the
 * program, which may be an agent's: else a solution could turn its failure into an error. Where it certainly came from outside
 * again, nothing is known of the program: `InfrastructureError`.
 */
export const runAgainIfKilled =
  (run: SandboxRun): SandboxRun =>
  async (command) => {
    const first = await run(command)
    if (!endsOf(first).some(wasKilled)) return first
    const second = await run(command)
    const outside = endsOf(second).find((end) => wasKilled(end) && end.fromOutside)
    if (outside) throw killedTwice(`the program ${command.command[0]}`, outside)
    return second
  }

const endsOf = (result: SandboxResult): ProgramEnd[] => [result, ...(result.peer ? [result.peer] : [])]

/** The error of a program that was killed, and could not or may not run once more. */
export const killedTwice = (what: string, { killedBy }: Pick<ProgramEnd, 'killedBy'>): InfrastructureError =>
  new InfrastructureError(
    `${what} was ended by ${killedBy}, which no limit of the sandbox explains. Find out what ends processes here, such as a lack of memory; then run the trial again with --retry-errors`,
  )
