import { amendManifest, appendAmendment, readAmendments } from '../../loop/record/amendments.ts'
import { noteInterimLook } from '../../loop/record/interim-looks.ts'
import { assertNotLocked } from '../../loop/record/lock.ts'
import { readPeople } from '../../loop/record/people-file.ts'
import { recordedTrials } from '../../loop/record/records.ts'
import { readFirstManifest } from '../../loop/record/run-folder.ts'
import { holdRunFolder } from '../../loop/record/sessions.ts'
import { verifyLedger } from '../../loop/record/verify-ledger.ts'
import { rowNames } from '../../schema/agent/agent-set.ts'
import type { Amendment } from '../../schema/run/amendment.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { settingsIn } from '../../schema/settings/settings.ts'
import type { Problem } from '../../text/errors.ts'
import { fixedOptionProblems } from '../config/merge-options.ts'
import type { RunOptions } from '../config/run-options.ts'
import { openOwnRun } from '../open/open-run.ts'
import { requireNoBlocks } from '../open/require-joined.ts'
import { type Additions, extendable, findAdditions } from './additions.ts'
import { refuse, resumeRun } from './resume-run.ts'
import type { OpenedRun, SessionOptions } from './session-options.ts'

/** Opens an existing run to go on, with more epochs, tasks, methods or sets of agents if asked. Throws `UserError`. */
export async function goOn(
  { resume = '', extend, queue }: RunOptions,
  options: SessionOptions,
): Promise<OpenedRun> {
  if (queue === undefined) requireNoBlocks(extend ?? resume)
  return extend === undefined ? resumeRun(resume, options) : extendRun(extend, options)
}

async function extendRun(run: string, options: SessionOptions): Promise<OpenedRun> {
  const { problems, given } = options
  const { folder, manifest } = openOwnRun(run, 'extended')
  assertNotLocked(folder, { takeOver: false })
  const asked: RunOptions = Object.fromEntries(
    Object.entries(given.options).filter(([name]) => !given.isFromFile(name as keyof RunOptions)),
  )
  if (asked.resume !== undefined)
    problems.push({ where: '--extend', what: 'conflicts with --resume', fix: 'Use one of them.' })
  problems.push(...fixedOptionProblems(asked, { by: '--extend', free: extendable }))
  if (asked.acceptChanges)
    problems.push({
      where: '--accept-changes',
      what: 'conflicts with --extend: trials before and after a change would not pair',
      fix: 'Restore what has changed, or start a new run.',
    })
  problems.push(...unextendableProblems(folder, manifest))
  refuse(problems)
  const more = await findAdditions(manifest, asked, options)
  refuse(problems)
  if (!more) options.onWarning('--extend: the run has all of that already, so it only goes on')
  const kept = Object.entries(asked).filter(([name]) => !(settingsIn('fixed') as string[]).includes(name))
  const resumed = { ...options, given: { ...given, options: Object.fromEntries(kept) } }
  return resumeRun(folder, resumed, more && prepareExtension(folder, manifest, more, resumed))
}

/** Returns why nothing can be added to a run. */
function unextendableProblems(folder: string, { shard, comparison, request }: RunManifest): Problem[] {
  const reasons: [holds: unknown, what: string, fix: string][] = [
    [
      shard,
      'is a shard: the shards of a run have one plan',
      'Join them with bench runs join, then extend the run.',
    ],
    [comparison?.stop, 'has a stop rule, which was fixed for its plan', 'Start a new run.'],
    [request, 'is a free request', 'Start a new run.'],
    [
      readAmendments(folder).some(({ changes }) => changes.some(({ before }) => before !== '')),
      'has tasks, agents or methods that were changed (--accept-changes), so old and new trials would not pair',
      'Start a new run.',
    ],
  ]
  return reasons.flatMap(([holds, what, fix]) => (holds ? [{ where: `--extend ${folder}`, what, fix }] : []))
}

/** Returns the plan of an extended run, and what writes it. */
function prepareExtension(
  folder: string,
  manifest: RunManifest,
  { changes, extended }: Additions,
  options: SessionOptions,
): { planned: RunManifest; write(): Promise<void> } {
  const next = { ...manifest, ...extended }
  const after = (manifest.tasks.length + changes.length) * rowNames(next).length * next.epochs
  const amendment = { changes, extended, planned: { before: manifest.trials, after } }
  const whole = { ...amendment, at: new Date().toISOString(), records: 0 }
  return {
    planned: amendManifest(readFirstManifest(folder), [...readAmendments(folder), whole]),
    async write() {
      // What a session refuses only when it has begun.
      await readPeople(folder)
      if (!options.given.options.retryErrors) verifyLedger(folder)
      await appendExtension(folder, manifest, amendment, options)
    },
  }
}

/**
 * Writes an extension. Whoever adds to a run may have seen its results, so it counts as a look, which is recorded first. Both can be
 * repeated after a crash in between.
 */
async function appendExtension(
  folder: string,
  manifest: RunManifest,
  amendment: Omit<Amendment, 'at' | 'records'>,
  { onWarning }: SessionOptions,
): Promise<void> {
  const lock = holdRunFolder(folder)
  try {
    const records = [...recordedTrials(folder)].length
    if (records > 0 && !manifest.simulated) {
      onWarning(
        `results of ${records} trials could be seen before this: it counts as a look, so the run has no p-values and no verdicts for a fixed number of tasks. For these, plan all of it in a new run, or use --stop-when settled there`,
      )
      noteInterimLook(folder, { records, command: 'bench run --extend' })
    }
    await appendAmendment(folder, { at: new Date().toISOString(), records, ...amendment })
  } finally {
    lock.release()
  }
}
