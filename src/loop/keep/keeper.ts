import { randomUUID } from 'node:crypto'
import { lstatSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { removeTree } from '../../sandbox/folders/remove-tree.ts'
import { ensureFolder, removeInside, writeInside } from '../../sandbox/folders/write-inside.ts'
import { GitError } from '../../sandbox/machine/run-git.ts'
import type { KeepWorkspaces } from '../../schema/keep-workspaces.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { Task } from '../../schema/task.ts'
import { StorageError } from '../../text/errors.ts'
import { storageError } from '../journal/storage.ts'
import { Interrupted } from '../state/recorded-steps.ts'
import type { FinishedTrial } from '../trial/grade-trial.ts'
import { branchOf } from './branch-of.ts'
import { dangerNotes } from './dangerous-files.ts'
import { type KeptFiles, keptFiles, writtenPaths } from './kept-files.ts'
import { makeRepository } from './repository.ts'

/** Keeps the workspaces of a run's trials. */
export interface Keeper {
  /**
   * Keeps the workspace of a trial that has ended, whole or not at all, and replaces what an earlier session kept of it. Throws
   * `StorageError`, and `Interrupted` if the user's signal ended git.
   */
  keep(task: Task, finished: FinishedTrial): Promise<void>
}

/** What a keeper needs of its session. */
export interface KeeperOptions {
  folder: string
  keep: KeepWorkspaces
  signal: AbortSignal
  /** Throws if this process may no longer write. */
  assertWritable(): void
  warn(message: string): void
}

/** Opens the kept workspaces of a run folder and removes what a killed session left unfinished; undefined if there is nothing to do. */
export function openKeeper(options: KeeperOptions): Keeper | undefined {
  const { folder, keep, warn } = options
  const all = join(folder, 'workspaces')
  if (isFolder(all)) removeDrafts(options, all)
  else if (keep === 'none') return undefined
  const warnOnce = createWarnOnce(warn)
  return {
    async keep(task, finished) {
      const { record, branch, secret } = finished
      if (!isKept(keep, record)) return withFailures(options, all, () => dropWorkspace(options, all, record))
      const files = keptFiles(task, branch.state, { secret })
      await withFailures(options, all, () => replaceWorkspace(options, all, files, record))
      const place = `workspaces/${record.trial}/files`
      for (const note of dangerNotes(place, files.leftOut, writtenPaths(files))) warnOnce(place, note)
    },
  }
}

const isFolder = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Prints notes that differ in more than their place: many trials of a task write the same names. */
function createWarnOnce(warn: KeeperOptions['warn']): (place: string, note: string) => void {
  const warned = new Set<string>()
  return (place, note) => {
    const rest = note.slice(place.length)
    if (!warned.has(rest)) warn(note)
    warned.add(rest)
  }
}

function dropWorkspace({ assertWritable }: KeeperOptions, all: string, { trial }: TrialRecord): void {
  // A link in its place would lead elsewhere.
  if (!isFolder(all)) return
  assertWritable()
  removeInside(all, setAside(all, trial))
}

async function replaceWorkspace(
  { assertWritable }: KeeperOptions,
  all: string,
  files: KeptFiles,
  record: TrialRecord,
): Promise<void> {
  const draft = join(all, draftName(record.trial))
  try {
    assertWritable()
    ensureFolder(all)
    await writeWorkspace(draft, files, record)
    assertWritable()
    const before = setAside(all, record.trial)
    renameSync(draft, join(all, record.trial))
    removeInside(all, before)
  } finally {
    removeTree(draft)
  }
}

const isKept = (keep: KeepWorkspaces, { passed }: TrialRecord) =>
  keep === 'all' || (keep === 'failed' && passed !== true)

/** The longest time in which no other trial goes on; ms. */
const sliceMs = 50

async function writeWorkspace(folder: string, files: KeptFiles, record: TrialRecord): Promise<void> {
  ensureFolder(folder)
  ensureFolder(join(folder, 'files'))
  let begun = performance.now()
  for (const [path, text] of Object.entries(files.graded)) {
    writeInside(folder, `files/${path}`, text)
    if (performance.now() - begun < sliceMs) continue
    await setImmediate()
    begun = performance.now()
  }
  await makeRepository(join(folder, 'repository'), files, {
    branch: branchOf(record),
    message: `${record.method} on ${record.task}, epoch ${record.epoch}`,
  })
}

/** The name of something in the folder of workspaces that is not whole. None is used twice, since a git of a killed session may go on. */
const draftName = (trial: string) => `${trial}.${randomUUID()}`

/** Renames a kept workspace, if it exists, since a kill could leave half of one that is being removed. Returns the new name. */
function setAside(all: string, trial: string): string {
  const name = draftName(trial)
  const place = join(all, trial)
  if (lstatSync(place, { throwIfNoEntry: false })) renameSync(place, join(all, name))
  return name
}

/** Removes what killed sessions left. */
function removeDrafts({ assertWritable }: KeeperOptions, all: string): void {
  assertWritable()
  for (const name of readdirSync(all)) if (/^[0-9a-f]+\.[0-9a-f-]{36}$/.test(name)) removeInside(all, name)
}

const userSignals: readonly (string | undefined)[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

async function withFailures(
  { signal }: KeeperOptions,
  all: string,
  effect: () => void | Promise<void>,
): Promise<void> {
  try {
    await effect()
  } catch (error) {
    if (!(error instanceof GitError))
      throw (error as NodeJS.ErrnoException).code === undefined ? error : storageError(all, error)
    // A terminal sends them to git, too, perhaps before this process hears of them.
    if (signal.aborted || userSignals.includes(error.signal)) throw new Interrupted()
    throw new StorageError(
      {
        where: all,
        what: `git cannot write there: ${error.message}`,
        fix: 'Fix the cause, then continue with bench run --resume; finished work is kept. --keep-workspaces none continues without.',
      },
      { cause: error },
    )
  }
}
