import { unknownName } from '../../loop/plan/unknown-name.ts'
import { rowName, rowNames } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { UserError } from '../../text/errors.ts'

/** Which trials of a run are shown. */
export interface TrialFilter {
  /** Only trials that did not pass, or are missing. */
  failed?: boolean | undefined
  task?: string | undefined
  /** Its row name, or its name for all sets of agents. */
  method?: string | undefined
}

/** Returns whether a trial is shown. */
export function isShown(record: TrialRecord, { failed, task, method }: TrialFilter): boolean {
  const { outcome, passed } = record
  const isMissing = outcome.status === 'error' || outcome.status === 'cancelled'
  return (
    (!failed || passed === false || isMissing) &&
    (task === undefined || record.task === task) &&
    (method === undefined || record.method === method || rowName(record.method, record.agentSet) === method)
  )
}

/** Returns a filter in words: `trials of sequential on code/x that did not pass`. */
export function filterText({ failed, task, method }: TrialFilter): string {
  return [
    'trials',
    ...(method === undefined ? [] : [`of ${method}`]),
    ...(task === undefined ? [] : [`on ${task}`]),
    ...(failed ? ['that did not pass or are missing'] : []),
  ].join(' ')
}

/** Returns the task of a run with this name; its suite may be left out. Throws `UserError` for any other name. */
export function findTaskName(task: string, { tasks }: RunManifest, run: string): string {
  const known = tasks.map(({ ref }) => ref)
  if (known.includes(task)) return task
  const short = known.filter((ref) => ref.endsWith(`/${task}`))
  if (short.length === 1) return short[0] as string
  if (short.length > 1)
    throw new UserError({
      where: '--task',
      what: `${short.length} tasks of this run are called "${task}"`,
      fix: `Write one of ${short.slice(0, 4).join(', ')}.`,
    })
  const names = known.map((ref) => ref.slice(ref.indexOf('/') + 1))
  const list = `bench show ${run}`
  throw new UserError(
    unknownName('--task', 'task of this run', task, task.includes('/') ? known : names, list),
  )
}

/**
 * Returns the name of a method of a run: a row name, or the name of a method for all its sets of agents unless `one` row is wanted.
 * Throws `UserError` for any other name.
 */
export function findMethodName(
  where: string,
  name: string,
  manifest: RunManifest,
  { run, one = false }: { run: string; one?: boolean },
): string {
  const rows = rowNames(manifest)
  if (rows.includes(name)) return name
  const labels = manifest.methods.map(({ label }) => label)
  if (!labels.includes(name))
    throw new UserError(
      unknownName(where, 'method of this run', name, one ? rows : [...labels, ...rows], `bench show ${run}`),
    )
  if (!one) return name
  const own = rows.filter((row) => row.startsWith(`${name}@`))
  throw new UserError({
    where,
    what: `${name} ran with ${own.length} sets of agents`,
    fix: `Write one of ${own.join(', ')}.`,
  })
}
