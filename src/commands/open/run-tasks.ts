import { redactTask } from '../../loop/branch/redact-inputs.ts'
import { joinPlans, keepRecorded, type Plan } from '../../loop/plan/plan.ts'
import { readSelection } from '../../loop/plan/select-tasks.ts'
import { planVersions, readAmendments } from '../../loop/record/amendments.ts'
import { readRecords } from '../../loop/record/records.ts'
import { readFirstManifest } from '../../loop/record/run-folder.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { refOfVersion } from '../../schema/run/task-version.ts'
import type { Task } from '../../schema/task.ts'
import type { NamedProgram } from '../../suites/suite.ts'
import type { Redactor } from '../../text/redact.ts'
import { readSavedRequest } from '../tasks/request-task.ts'
import { planFromManifest } from './create-session.ts'

/**
 * Returns the tasks that the run's selection gives now, redacted, by their refs, and the code that their tables name. A run with a filter has only the tasks that it drew: of
 * a source that was changed the filter could draw others. Throws `UserError` if a task cannot be read.
 */
export async function selectedTasks(
  folder: string,
  manifest: RunManifest,
  redact: Redactor | undefined,
): Promise<{ tasks: Task[]; programs: readonly NamedProgram[] }> {
  const { tasks, programs } = manifest.request
    ? { tasks: [readSavedRequest(folder)], programs: [] }
    : await readSelection(manifest.taskSelectors.join(','), manifest.seed, {
        skipInvalid: manifest.skipInvalid !== undefined,
      })
  const drawn = manifest.taskFilter && new Set(manifest.tasks.map(({ ref }) => refOfVersion(ref)))
  const kept = tasks.filter(({ ref }) => !drawn || drawn.has(ref))
  return { tasks: kept.map((task) => redactTask(task, redact)), programs }
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

/** Returns the plan with the trials that the run folder has records of from earlier plans; the same plan without such records. */
export function keepRecordedTrials(
  folder: string,
  { earlierTasks }: Pick<RunManifest, 'earlierTasks'>,
  plan: Plan,
): Plan {
  if (!earlierTasks) return plan
  const known = new Set(earlierTasks.map(({ ref }) => ref))
  return keepRecorded(plan, readRecords(folder), (task) => known.has(task))
}

/**
 * Returns the plans and tasks of a changed run that can be replayed: those of the present plan, and of each earlier one those whose
 * task and method are the present ones.
 */
export function replayablePlan(
  folder: string,
  manifest: RunManifest,
  selected: readonly Task[],
  present: readonly Task[],
): { plan: Plan; tasks: Task[] } {
  const tasks = new Map(present.map((task) => [task.ref, task]))
  const plans = [planFromManifest(manifest, tasks)]
  const digests = new Map(manifest.methods.map(({ label, digest }) => [label, digest]))
  for (const version of planVersions(readFirstManifest(folder), readAmendments(folder))) {
    const own = version.tasks.flatMap(({ ref: name, digest }): Task[] => {
      const task = selected.find((one) => one.ref === refOfVersion(name) && one.digest === digest)
      return task ? [{ ...task, ref: name }] : []
    })
    for (const task of own) if (!tasks.has(task.ref)) tasks.set(task.ref, task)
    const methods = version.methods.filter(({ label, digest }) => digests.get(label) === digest)
    plans.push(planFromManifest({ ...version, methods }, new Map(own.map((task) => [task.ref, task]))))
  }
  return { plan: joinPlans(plans), tasks: [...tasks.values()] }
}
