import { basename, relative, resolve } from 'node:path'
import { agentReach } from '../../agents/registry.ts'
import { builtInNames } from '../../loop/plan/built-in-tasks.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { digestFolder } from '../../sandbox/folders/digest-folder.ts'
import type { Change } from '../../schema/run/amendment.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { refOfVersion } from '../../schema/run/task-version.ts'
import { statedNumbers, type Task } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'
import { agentDigests, importsFiles, moduleOf, repliesOf } from '../agents/make-agents.ts'
import { findVersion } from './run-tasks.ts'

/** A change with the file or folder that has changed. */
export interface FoundChange extends Change {
  where: string
  /** The digest covers files that this one imports, too: any of them may have changed. */
  hasImports?: boolean
}

/** Returns what differs from the plan of a run: its tasks, the modules of its scripted agents, and its own strategy files. */
export function findChanges(
  manifest: RunManifest,
  now: { tasks: readonly Task[]; strategies: readonly KnownStrategy[] },
): FoundChange[] {
  return [
    ...changedTasks(manifest, now.tasks),
    ...addedTasks(manifest, now.tasks),
    ...changedAgents(manifest),
    ...changedMethods(manifest, now.strategies),
  ]
}

/** Returns the labels of methods whose built-in strategy is of another version of bench. */
export function otherBuiltIns({ methods }: RunManifest, strategies: readonly KnownStrategy[]): string[] {
  return methods.flatMap(({ label, strategy, digest, file }) => {
    const known = strategies.find((one) => one.strategy.name === strategy)
    return file === undefined && known && known.digest !== digest ? [label] : []
  })
}

function changedTasks({ tasks: planned, taskSelectors }: RunManifest, tasks: readonly Task[]): FoundChange[] {
  return planned.flatMap(({ ref: named, digest: before }): FoundChange[] => {
    const name = refOfVersion(named)
    const task = findVersion(tasks, name, before)
    if (task?.digest === before) return []
    const where = task ? displayPath(task.origin) : taskSelectors.join(',')
    return [{ kind: 'task', name, before, after: task?.digest ?? '', where, ...statedBy(task) }]
  })
}

/** Returns tasks that the user's own suites have gained. A task that requires a program may have been left out when the run started. */
function addedTasks({ tasks: planned, request }: RunManifest, tasks: readonly Task[]): FoundChange[] {
  if (request) return []
  const refs = new Set(planned.map(({ ref }) => refOfVersion(ref)))
  const builtIn = new Set(builtInNames().map(({ folder }) => folder))
  return tasks.flatMap((task): FoundChange[] => {
    const { ref: name, origin, digest: after, spec } = task
    if (refs.has(name) || builtIn.has(origin) || spec.requires.length > 0) return []
    return [{ kind: 'task', name, before: '', after, where: displayPath(origin), ...statedBy(task) }]
  })
}

function statedBy(task: Task | undefined): Pick<Change, 'properties' | 'cluster'> {
  const properties = task && statedNumbers(task.spec)
  const cluster = task?.spec.cluster
  return { ...(properties && { properties }), ...(cluster && { cluster }) }
}

function changedAgents({ agentDigests: planned = {}, cwd }: RunManifest): FoundChange[] {
  const now = agentDigests(Object.keys(planned), cwd)
  return Object.entries(planned).flatMap(([name, before]): FoundChange[] => {
    const after = now[name]
    if (after === undefined || after === before) return []
    const file = moduleOf(name, cwd) ?? repliesOf(name, cwd)[0] ?? name
    return [{ kind: 'agent', name, before, after, where: displayPath(file), hasImports: importsFiles(file) }]
  })
}

function changedMethods({ methods }: RunManifest, strategies: readonly KnownStrategy[]): FoundChange[] {
  return methods.flatMap(({ label: name, strategy, digest: before, file }): FoundChange[] => {
    const after = strategies.find((one) => one.strategy.name === strategy)?.digest
    if (file === undefined || after === undefined || after === before) return []
    const hasImports = importsFiles(file)
    return [{ kind: 'method', name, before, after, where: displayPath(file), hasImports }]
  })
}

/** Returns a problem for each folder of a program that holds something else than when the run started. No run can go on with it: it is a part of ids. */
export function folderProblems(
  { methods }: Pick<RunManifest, 'methods'>,
  strategies: readonly KnownStrategy[],
): Problem[] {
  const places = methods.flatMap((method) => {
    const { strategy } = strategies.find((one) => one.strategy.name === method.strategy) ?? {}
    const { folder, digest } = strategy?.asksModels?.(method.options) ?? {}
    return folder === undefined || digest === undefined ? [] : [{ folder, digest }]
  })
  return [...new Map(places.map((place) => [place.folder, place])).values()].flatMap(({ folder, digest }) => {
    const found = digestFolder(resolve(folder))
    if (found?.digest === digest) return []
    return [
      found
        ? {
            where: folder,
            what: 'the folder has changed since this run started',
            fix: 'Restore it, or start a new run.',
          }
        : {
            where: folder,
            what: 'there is no such folder',
            fix: 'Go on in the folder where the run started, or restore it.',
          },
    ]
  })
}

/** Returns one problem for each change; the last one has the remedy. `unset`: variables of secrets that are not set now. */
export function changeProblems(
  changes: readonly FoundChange[],
  { earlierTasks }: RunManifest,
  unset: readonly string[],
): Problem[] {
  return changes.map((change, place) => ({
    where: change.where,
    what: changeText(change, sinceWhen(earlierTasks !== undefined)),
    ...(place === changes.length - 1 && { fix: `${remedy}${unsetText(unset)}` }),
  }))
}

const remedy =
  'Restore it, start a new run, or go on with --accept-changes: then the trials before and after are not compared with each other.'

/** A task that holds the value of a variable is another one where the value is not redacted. */
const unsetText = (unset: readonly string[]) =>
  unset.length === 0
    ? ''
    : ` ${unset.join(', ')} ${unset.length === 1 ? 'was' : 'were'} set when this run started: set ${unset.length === 1 ? 'it' : 'them'} again first.`

/** Says since when a run has its present plan. */
export const sinceWhen = (isAmended: boolean) =>
  isAmended ? 'since changes of this run were last accepted' : 'since this run started'

/** Says what has changed: a digest does not tell which part of it. */
function changeText({ kind, name, before, after, where, hasImports }: FoundChange, since: string): string {
  if (before === '') return `task ${name} was added ${since}`
  if (after === '') return `task ${name} no longer exists`
  const source = (what: string) =>
    hasImports
      ? `the ${what} ${name} is not as it was: ${basename(where)} or a file that it imports`
      : `the ${what} ${name}`
  const versions = `SHA-256 ${before.slice(0, 8)}, now ${after.slice(0, 8)}`
  return {
    task: `task ${name} has changed ${since}: its text, files, checks or answer (${versions})`,
    agent: `${source(agentReach(name) === 'replies' ? 'file of recorded replies of agent' : 'module of agent')} has changed ${since} (${versions})`,
    method: `${source('source of method')} has changed ${since} (${versions})`,
  }[kind]
}

/** Returns a path below the current folder as one from there, any other as it is. */
export function displayPath(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') ? file : path
}
