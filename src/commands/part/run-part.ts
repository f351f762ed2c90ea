import { evidence } from '../../analysis/evidence.ts'
import { counted, formatCount, formatUsd, unknown } from '../../reports/words/numbers.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { MachineSpending } from '../../schema/machine/machine-record.ts'
import type { Problem } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { RunOptions } from '../config/run-options.ts'
import { runAtTerminal } from '../run-at-terminal.ts'
import { reportLimits, reportStop } from '../session/report-end.ts'

interface PartCommand {
  begun?: () => void
  /** Returns the command that goes on with a run that was stopped, beside which `stopped` is said. */
  again?: (folder: string) => string
  stopped?: string
  /** Prints what came of the part. Returns whether it did its work. */
  report: (folder: string) => boolean
}

/** Runs a part of a method alone, or resumes such a run. Exit code 0; 1 if the part failed; as for `bench run` if the run ended early. */
export function runPart(
  { part, ...flags }: RunOptions,
  { begun, again, stopped = '', report }: PartCommand,
): Promise<number> {
  const options = { ...flags, ...(part && { part, epochs: '1' }), notify: 'none' }
  return runAtTerminal(options, async ({ executed, byPerson, isBroken }) => {
    begun?.()
    reportLimits(executed)
    if (!executed.end.interrupted) return report(executed.folder) && !isBroken() ? 0 : 1
    const code = reportStop(executed, byPerson, again?.(executed.folder))
    process.stderr.write(stopped)
    return isBroken() ? 1 : code
  })
}

/** Returns why the text of `--request` cannot be taken; `rival` is a flag that was given and leaves no place for it. */
export function requestProblems(request: string | undefined, rival: string | undefined): Problem[] {
  if (request === undefined) return []
  if (rival !== undefined)
    return [{ where: '--request', what: `conflicts with ${rival}`, fix: 'Use one of them.' }]
  if (request.trim() !== '') return []
  return [{ where: '--request', what: 'is empty', fix: 'Write what the agents should do.' }]
}

/** Says what calls took. */
export function spentText({ calls, input, output, costUsd }: MachineSpending): string {
  const tokens =
    input === null || output === null
      ? 'tokens unknown'
      : `${formatCount(input)} tokens in, ${formatCount(output)} out`
  return `${counted(calls, 'call')}, ${tokens}, ${costUsd === null ? `cost ${unknown}` : formatUsd(costUsd)}`
}

/** Says what the whole trial took. */
export function totalText({ spent, simulated }: TrialRecord): string {
  const tokens = spent.unreportedTokens > 0 ? { input: null, output: null } : {}
  return `total: ${spentText({ ...spent, ...tokens })}${simulated ? `, ${evidence.simulated.name}` : ''}`
}

/** Says where to look further. */
export function sayPlaces(folder: string, { trial }: TrialRecord): void {
  process.stderr.write(
    `prompts and replies: bench show ${shellWord(folder)} ${trial.slice(0, 12)}\nrun folder: ${folder}\n`,
  )
}
