import { redactTask } from '../../loop/branch/redact-inputs.ts'
import { readSelection } from '../../loop/plan/select-tasks.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { refOfVersion } from '../../schema/run/task-version.ts'
import type { Task } from '../../schema/task.ts'
import type { Redactor } from '../../text/redact.ts'
import { readSavedRequest } from '../tasks/request-task.ts'

/**
 * Returns the tasks that the run's selection gives now, redacted, by their refs. A run with a filter has only the tasks that it drew: of
 * a source that was changed the filter could draw others. Throws `UserError` if a task cannot be read.
 */
export async function selectedTasks(
  folder: string,
  manifest: RunManifest,
  redact: Redactor | undefined,
): Promise<Task[]> {
  const tasks = manifest.request
    ? [readSavedRequest(folder)]
    : (
        await readSelection(manifest.taskSelectors.join(','), manifest.seed, {
          skipInvalid: manifest.skipInvalid !== undefined,
        })
      ).tasks
  const drawn = manifest.taskFilter && new Set(manifest.tasks.map(({ ref }) => refOfVersion(ref)))
  return tasks.filter(({ ref }) => !drawn || drawn.has(ref)).map((task) => redactTask(task, redact))
}

/** Returns those of the tasks that a run's plan names, under their names in the run. */
export function plannedTasks({ tasks: planned }: Pick<RunManifest, 'tasks'>, tasks: readonly Task[]): Task[] {
  return planned.flatMap(({ ref: name, digest }) => {
    const task = findVersion(tasks, refOfVersion(name), digest)
    return task ? [{ ...task, ref: name }] : []
  })
}

/** Returns the task with this ref. Two tasks of an older run may have one ref: then the one with this digest. */
export function findVersion(tasks: readonly Task[], ref: string, digest: string): Task | undefined {
  const same = tasks.filter((task) => task.ref === ref)
  return same.find((task) => task.digest === digest) ?? same.at(-1)
}
