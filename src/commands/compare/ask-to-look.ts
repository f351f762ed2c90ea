import { readRecords } from '../../loop/record/records.ts'
import { counted, formatUsd } from '../../reports/words/numbers.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { UserError } from '../../text/errors.ts'
import { confirm } from '../terminal/say.ts'

/**
 * Asks before a person sees results by method of a live run that is not whole: at the terminal, else it requires `--peek`. Such a
 * look voids tests for a fixed number of tasks once more trials are added. A simulated run is not tested, and a run with a stop
 * rule allows looks, so both need no asking. Throws `UserError` if the look is not wanted. It does not note the look.
 */
export async function askToLook(
  folder: string,
  manifest: RunManifest,
  { command, peek }: { command: string; peek: boolean },
): Promise<void> {
  if (peek || manifest.simulated || manifest.comparison?.stop) return
  const done = countTrials(folder)
  if (done.trials === 0 || done.trials >= manifest.trials) return
  const what = `is not whole: ${doneText(done, manifest.trials)}. Results by method now are a look before its end: if trials are added after it, the tests for a fixed number of tasks are void, and the look stays noted in the run`
  if (process.stdin.isTTY && process.stderr.isTTY) {
    process.stderr.write(`${folder} ${what}.\n`)
    if (await confirm('Look anyway?', new AbortController().signal)) return
  }
  throw new UserError({
    where: `bench ${command} ${folder}`,
    what,
    fix: `Wait until it is whole (bench runs shows how far it is), resume it with bench run --resume ${folder}, or add --peek to look. A run with --stop-when settled allows looks.`,
  })
}

interface Done {
  trials: number
  errors: number
  costUsd: number
  atLeast: boolean
}

function countTrials(folder: string): Done {
  const done: Done = { trials: 0, errors: 0, costUsd: 0, atLeast: false }
  for (const { outcome, spent } of readRecords(folder)) {
    done.trials++
    if (outcome.status === 'error') done.errors++
    done.costUsd += spent.costUsd ?? 0
    done.atLeast ||= spent.costUsd === null
  }
  return done
}

function doneText({ trials, errors, costUsd, atLeast }: Done, planned: number): string {
  const failed = errors > 0 ? `, ${errors} with an error` : ''
  const cost =
    costUsd === 0 && atLeast ? 'dollars unknown' : `${atLeast ? 'at least ' : ''}${formatUsd(costUsd)}`
  return `${trials} of ${counted(planned, 'trial')} have ended${failed}, ${cost} spent`
}
