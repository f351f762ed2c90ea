import { resumeCommand } from '../loop/record/in-blocks.ts'
import type { RunOptions } from './config/run-options.ts'
import { type EndedRun, runAtTerminal } from './run-at-terminal.ts'
import { reportToCi } from './session/report-ci.ts'
import { countErrors, reportLimits, reportResult, reportStop } from './session/report-end.ts'

/**
 * `bench run`: writes progress to stderr and the table to stdout. Exit code 0; 1 for a true `--fail-if` or trials in error; 3
 * if a limit of the run or of a method stopped it; 4 if trials wait for a person, or it was paused; 130 if interrupted.
 */
export default async function run(options: RunOptions): Promise<number> {
  if (!options.view) return runAtTerminal(options, reportEnd)
  const { showWhile } = await import('./view.ts')
  return showWhile((begun) => runAtTerminal(options, reportEnd, begun))
}

async function reportEnd({ asked, executed, notes, byPerson, isBroken }: EndedRun): Promise<number> {
  const unwritten = await reportToCi(asked, executed)
  reportLimits(executed)
  if (executed.end.interrupted) {
    const code = reportStop(executed, byPerson, resumeCommand(executed.folder, asked.queue))
    return isBroken() ? 1 : code
  }
  reportResult(executed, notes, asked.json === true)
  return executed.held.length > 0 || countErrors(executed) > 0 || isBroken() ? 1 : unwritten
}
