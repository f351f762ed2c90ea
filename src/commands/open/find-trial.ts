import { ledgersOf } from '../../loop/join/blocks.ts'
import { journaledTrials } from '../../loop/journal/ledger-index.ts'
import { readRecords, recordedTrials } from '../../loop/record/records.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import { UserError } from '../../text/errors.ts'
import { findRunSecrets } from '../config/run-secrets.ts'
import { plannedTasks, selectedTasks } from './run-tasks.ts'

/** Returns the id of the trial that has a record in a run folder and whose id starts with `beginning`. Throws `UserError` unless exactly one does. */
export const findTrial = (folder: string, beginning: string): string =>
  onlyOne(folder, beginning, recordedIn(folder))

/** A trial that has begun. */
interface BegunTrial {
  trial: string
  /** The folder with its steps: of the run, or of a block whose lines the run does not have yet. */
  ledger: string
  /** Undefined: it has not ended. */
  record: TrialRecord | undefined
}

/** Finds the trial that has begun and whose id starts with `beginning`. Throws `UserError` unless there is exactly one. */
export function findBegunTrial(run: string, beginning: string): BegunTrial {
  const found = new Map<string, BegunTrial>()
  for (const ledger of ledgersOf(run)) {
    for (const trial of journaledTrials(ledger))
      if (trial.startsWith(beginning)) found.set(trial, { trial, ledger, record: undefined })
    for (const record of readRecords(ledger))
      if (record.trial.startsWith(beginning)) found.set(record.trial, { trial: record.trial, ledger, record })
  }
  return found.get(onlyOne(run, beginning, found.keys())) as BegunTrial
}

function* recordedIn(folder: string): Generator<string> {
  for (const { trial } of recordedTrials(folder)) yield trial
}

function onlyOne(run: string, beginning: string, trials: Iterable<string>): string {
  const found: string[] = []
  for (const trial of trials) if (trial.startsWith(beginning)) found.push(trial)
  const [trial] = found
  if (trial === undefined)
    throw new UserError({
      where: beginning,
      what: `${run} has no record of a trial whose id starts with this`,
      fix: `bench show ${run} lists the trials that have ended.`,
    })
  if (found.length > 1)
    throw new UserError({
      where: beginning,
      what: `${found.length} trials have an id that starts with this`,
      fix: `Write more of the id: ${found.slice(0, 4).join(', ')}.`,
    })
  return trial
}

/** Returns a run's tasks by name, redacted; empty if they can no longer be read, since a run can be shown without them. */
export async function tryReadTasks(
  folder: string,
  manifest: RunManifest,
): Promise<ReadonlyMap<string, Task>> {
  const { redact } = findRunSecrets(manifest.secrets ?? [])
  try {
    const { tasks } = await selectedTasks(folder, manifest, redact)
    return new Map(plannedTasks(manifest, tasks).map((task) => [task.ref, task]))
  } catch (error) {
    if (error instanceof UserError) return new Map()
    throw error
  }
}
