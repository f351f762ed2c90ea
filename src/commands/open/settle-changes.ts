import { allSteps } from '../../loop/journal/ledger-index.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { amendManifest, appendAmendment, readAmendments } from '../../loop/record/amendments.ts'
import { noteInterimLook } from '../../loop/record/interim-looks.ts'
import { readRecords } from '../../loop/record/records.ts'
import { voidTrials } from '../../loop/record/repair.ts'
import { readFirstManifest } from '../../loop/record/run-folder.ts'
import { holdRunFolder } from '../../loop/record/sessions.ts'
import { changesText } from '../../reports/words/amendments-text.ts'
import type { Amendment } from '../../schema/run/amendment.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { planFromManifest } from './create-session.ts'
import {
  changeProblems,
  type FoundChange,
  findChanges,
  folderProblems,
  otherBuiltIns,
  sinceWhen,
} from './find-changes.ts'
import { keepRecordedTrials, plannedTasks } from './run-tasks.ts'

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
  const folders = folderProblems(manifest, now.strategies)
  if (folders.length > 0) throw new UserError(folders)
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

/**
 * Changes the plan of a run to what its tasks, agents and methods are now. Steps of trials that have begun and have no record are
 * void; the change is recorded as an interim look, then in amendments.jsonl. Each step can be repeated after a crash. Returns the changed manifest.
 * Throws `UserError` for a run whose plan depends on its tasks as they were, and while another process holds the folder.
 */
async function acceptChanges(
  folder: string,
  manifest: RunManifest,
  found: readonly FoundChange[],
  tasks: readonly Task[],
): Promise<RunManifest> {
  const problems = unchangeableProblems(manifest)
  if (problems.length > 0) throw new UserError(problems)
  const before = readAmendments(folder)
  const lock = holdRunFolder(folder)
  try {
    const first = readFirstManifest(folder)
    if (readAmendments(folder).length !== before.length)
      throw new UserError({
        where: folder,
        what: 'was changed by another process of bench at the same time',
        fix: 'Run the same command again.',
      })
    const records = [...readRecords(folder)].length
    const changes = found.map(({ where: _, ...change }) => change)
    const amendmentOf = (after: number): Amendment => ({
      at: new Date().toISOString(),
      records,
      planned: { before: manifest.trials, after },
      changes,
    })
    const draft = amendManifest(first, [...before, amendmentOf(manifest.trials)])
    const next = { ...manifest, tasks: draft.tasks, methods: redigest(manifest, draft), ...earlierOf(draft) }
    const named = new Map(plannedTasks(next, tasks).map((task) => [task.ref, task]))
    const plan = keepRecordedTrials(folder, next, planFromManifest(next, named))
    // The person who changes a task may have seen results.
    if (records > 0) noteInterimLook(folder, { records, command: 'bench run --resume --accept-changes' })
    await voidTrials(folder, abandonedTrials(folder, new Set([...plan].map(({ id }) => id))))
    await appendAmendment(folder, amendmentOf(plan.length))
    return { ...next, trials: plan.length }
  } finally {
    lock.release()
  }
}

const earlierOf = ({ earlierTasks, agentDigests }: RunManifest) => ({
  ...(earlierTasks && { earlierTasks }),
  ...(agentDigests && { agentDigests }),
})

/** The methods of a manifest, whose files may have moved, with the digests of another. */
const redigest = ({ methods }: RunManifest, { methods: others }: RunManifest): RunManifest['methods'] =>
  methods.map((method, place) => ({ ...method, digest: others[place]?.digest ?? method.digest }))

/** Returns why a run cannot go on with other tasks. */
function unchangeableProblems({ comparison, methods, shard }: RunManifest): Problem[] {
  const where = '--accept-changes'
  const matched = methods.filter(({ match }) => match).map(({ label }) => label)
  return [
    ...(comparison?.stop
      ? [
          {
            where,
            what: 'conflicts with the stop rule of this run, which was fixed for its tasks as they were',
            fix: 'Restore what has changed, or start a new run.',
          },
        ]
      : []),
    ...(shard
      ? [
          {
            where,
            what: `conflicts with shard ${shard.index} of ${shard.of}: all shards of a run have one plan`,
            fix: 'Restore what has changed, or join the shards with bench runs join and go on with the joined run.',
          },
        ]
      : []),
    ...(matched.length > 0
      ? [
          {
            where,
            what: `conflicts with the matched budget of ${matched.join(', ')}: it is measured on the same task`,
            fix: 'Restore what has changed, or start a new run.',
          },
        ]
      : []),
  ]
}

/** Returns the trials that have steps and are not in the plan any more, each with the reason why its steps are void. */
function abandonedTrials(folder: string, planned: ReadonlySet<string>): Map<string, string> {
  const open = new Set<string>()
  for (const step of allSteps(folder)) {
    if (step.kind === 'void' && step.rerun) open.delete(step.trial)
    else if (!planned.has(step.trial)) open.add(step.trial)
  }
  return new Map([...open].map((trial) => [trial, 'its task, agent or method has changed']))
}
