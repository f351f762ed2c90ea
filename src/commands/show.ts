import { unjoinedNote } from '../loop/join/unjoined.ts'
import { verifyLedger } from '../loop/record/verify-ledger.ts'
import { findBegunTrial } from './open/find-trial.ts'
import { openRun } from './open/open-run.ts'
import { type ShowFlags, viewOf } from './show/show-flags.ts'
import { showRun } from './show/show-run.ts'
import { showTrial } from './show/show-trial.ts'
import { reportNote } from './terminal/report-error.ts'

/**
 * `bench show RUN [TRIAL]`: shows the plan of a run and the outcome of each trial, or the story of one trial. `--failed`,
 * `--method` and `--task` filter the trials; `--task T --methods A,B` shows one task under two methods. With `--transitions`,
 * `--breaks` or `--tokens` it prints these tables of the run or the trial instead. `--json` prints the same as data. RUN may be the
 * address of a page of `bench view`, whoever its server belongs to: nothing is asked of it.
 */
export default async function show(
  named: string,
  trialOfRun: string | undefined,
  flags: ShowFlags,
): Promise<number> {
  const { run, trial, options } = linkOf(named, flags) ?? { run: named, trial: trialOfRun, options: flags }
  const view = viewOf(trial, options)
  const { folder, manifest } = openRun(run)
  reportNote(unjoinedNote(folder))
  if (view === 'tables') {
    verifyLedger(folder)
    const { workflowText } = await import('./show/show-workflow.ts')
    const found = trial === undefined ? undefined : findBegunTrial(folder, trial)
    process.stdout.write(await workflowText({ folder, manifest, trial: found?.trial }, options))
    return 0
  }
  if (view === 'pair') {
    verifyLedger(folder)
    const { pairText } = await import('./show/show-pair.ts')
    const { task = '', methods = '', full = false, answers = true, json = false } = options
    process.stdout.write(await pairText({ folder, manifest }, { task, methods, full, answers, json }))
    return 0
  }
  if (trial === undefined) return showRun(folder, manifest, options)
  const { full = false, answers = true, json = false } = options
  return showTrial(folder, manifest, { trial, full, answers, json })
}

/** Returns what the address of a page of `bench view` shows; undefined for any other text. */
function linkOf(text: string, flags: ShowFlags) {
  const link = /^https?:/.test(text) && URL.canParse(text) ? new URL(text) : undefined
  const [, name, trial] = /^\/runs\/([^/]+)(?:\/trials\/([^/]+))?\/?$/.exec(link?.pathname ?? '') ?? []
  if (!link || name === undefined) return undefined
  const words = link.searchParams
  const [task, method] = [words.get('task'), words.get('method')]
  const chosen: ShowFlags = {
    ...(words.get('show') === 'failed' && { failed: true }),
    ...(task && { task }),
    ...(method && { method }),
  }
  const options = { ...(trial === undefined && chosen), ...flags }
  try {
    return { run: decodeURIComponent(name), trial: trial && decodeURIComponent(trial), options }
  } catch {
    // No page of a server has such an address.
    return undefined
  }
}
