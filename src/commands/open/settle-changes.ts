import type { KnownStrategy } from '../../loop/plan/known-strategy.ts'
import { changesText } from '../../reports/words/amendments-text.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import { UserError } from '../../text/errors.ts'
import { acceptChanges } from './accept-changes.ts'
import { changeProblems, type FoundChange, findChanges, otherBuiltIns, sinceWhen } from './find-changes.ts'

/** Decides about what has changed: a replay only reports it, and a run goes on only if the user accepts it. Returns the plan to use. */
export async function settleChanges(
  folder: string,
  manifest: RunManifest,
  now: { tasks: readonly Task[]; strategies: readonly KnownStrategy[]; unset: readonly string[] },
  parts: { goesOn?: boolean; acceptChanges?: boolean; onWarning(message: string): void },
): Promise<RunManifest> {
  for (const label of otherBuiltIns(manifest, now.strategies))
    parts.onWarning(`the source of method ${label} has changed since this run started`)
  const changes = findChanges(manifest, now)
  if (!parts.goesOn) {
    warnOfReplay(folder, changes, parts.onWarning)
    return manifest
  }
  if (changes.length === 0) {
    const since = sinceWhen(manifest.earlierTasks !== undefined)
    if (parts.acceptChanges) parts.onWarning(`--accept-changes: nothing has changed ${since}`)
    return manifest
  }
  if (!parts.acceptChanges) throw new UserError(changeProblems(changes, manifest, now.unset))
  const changed = await acceptChanges(folder, manifest, changes, now.tasks)
  parts.onWarning(
    `accepted: ${changesText(changes)}; trials before and after are not compared with each other`,
  )
  return changed
}

/** Throws `UserError` if a task is gone. An agent is not asked in a replay, and a task that was added is not in it. */
function warnOfReplay(
  folder: string,
  changes: readonly FoundChange[],
  onWarning: (message: string) => void,
): void {
  for (const { kind, name, before, after } of changes) {
    if (kind === 'agent' || before === '') continue
    if (after === '')
      throw new UserError({
        where: folder,
        what: `task "${name}" of this run no longer exists`,
        fix: 'Restore it at the place where it was when the run started.',
      })
    onWarning(
      `${kind === 'task' ? `task ${name}` : `the source of method ${name}`} has changed since this run started`,
    )
  }
}
