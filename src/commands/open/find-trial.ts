import { journaledTrials } from '../../loop/journal/ledger-index.ts'
import { readRecords, recordedTrials } from '../../loop/record/records.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import { UserError } from '../../text/errors.ts'
import { findRunSecrets } from '../config/run-secrets.ts'
import { plannedTasks, selectedTasks } from './run-tasks.ts'

/** Returns the record whose trial id starts with `beginning`. Throws `UserError` unless exactly one does. */
export function findTrial(folder: string, beginning: string): TrialRecord {
  const found: TrialRecord[] = []
  for (const record of readRecords(folder)) if (record.trial.startsWith(beginning)) found.push(record)
  const [record] = found
  if (!record)
    throw new UserError({
      where: beginning,
      what: `${folder} has no record of a trial whose id starts with this`,
      fix: `bench show ${folder} lists the trials that have ended.`,
    })
  if (found.length > 1)
    throw new UserError({
      where: beginning,
      what: `${found.length} trials have an id that starts with this`,
      fix: `Write more of the id: ${found
        .slice(0, 4)
        .map(({ trial }) => trial)
        .join(', ')}.`,
    })
  return record
}

/** Returns the id of the unfinished trial whose id starts with `beginning`; undefined unless exactly one started trial matches and has no record. */
export function findOpenTrial(folder: string, beginning: string): string | undefined {
  const started = journaledTrials(folder).filter((id) => id.startsWith(beginning))
  const ended = new Set<string>()
  for (const { trial } of recordedTrials(folder)) ended.add(trial)
  const [id] = started
  return id !== undefined && started.length === 1 && !ended.has(id) ? id : undefined
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
