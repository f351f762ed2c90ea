import { journaledTrials } from '../../loop/journal/ledger-index.ts'
import { readRecords, recordedTrials } from '../../loop/record/records.ts'
import { redactTask } from '../../loop/state/redact-inputs.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import { UserError } from '../../text/errors.ts'
import { secretsOfRun } from '../config/run-secrets.ts'
import { tasksOf } from './reopen.ts'

/** The record whose trial id begins so. Throws `UserError` when none or several do. */
export function findTrial(folder: string, beginning: string): TrialRecord {
  const found: TrialRecord[] = []
  for (const record of readRecords(folder)) if (record.trial.startsWith(beginning)) found.push(record)
  const [record] = found
  if (!record)
    throw new UserError({
      where: beginning,
      what: `${folder} has no record of such a trial`,
      fix: `See bench show ${folder} for those that have ended.`,
    })
  if (found.length > 1)
    throw new UserError({
      where: beginning,
      what: `${found.length} trials begin so`,
      fix: `Write more of the id: ${found
        .slice(0, 4)
        .map(({ trial }) => trial)
        .join(', ')}.`,
    })
  return record
}

/** The id of a trial that begins so, has begun and has no record; undefined when none has, or several trials begin so. */
export function findOpenTrial(folder: string, beginning: string): string | undefined {
  const begun = journaledTrials(folder).filter((id) => id.startsWith(beginning))
  const ended = new Set<string>()
  for (const { trial } of recordedTrials(folder)) ended.add(trial)
  const [id] = begun
  return id !== undefined && begun.length === 1 && !ended.has(id) ? id : undefined
}

/** A run's tasks by their names, redacted; none where they cannot be read any more: a run can be looked at without them. */
export function tryReadTasks(folder: string, manifest: RunManifest): ReadonlyMap<string, Task> {
  const { redact } = secretsOfRun(manifest.secrets ?? [])
  try {
    return new Map(tasksOf(folder, manifest).map((task) => [task.ref, redactTask(task, redact)]))
  } catch (error) {
    if (error instanceof UserError) return new Map()
    throw error
  }
}
