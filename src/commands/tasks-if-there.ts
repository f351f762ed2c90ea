import { UserError } from '../errors.ts'
import { redactTask } from '../loop/redact-inputs.ts'
import type { RunManifest } from '../schema/run.ts'
import type { Task } from '../schema/task.ts'
import { tasksOf } from './reopen.ts'
import { secretsOfRun } from './run-secrets.ts'

/** A run's tasks by their names, redacted; none where they cannot be read any more: a run can be looked at without them. */
export function tasksIfThere(folder: string, manifest: RunManifest): ReadonlyMap<string, Task> {
  const { redact } = secretsOfRun(manifest.secrets ?? [])
  try {
    return new Map(tasksOf(folder, manifest).map((task) => [task.ref, redactTask(task, redact)]))
  } catch (error) {
    if (error instanceof UserError) return new Map()
    throw error
  }
}
