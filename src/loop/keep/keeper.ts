import { randomUUID } from 'node:crypto'
import { lstatSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { removeTree } from '../../sandbox/folders/remove-tree.ts'
import { ensureFolder, removeInside, writeInside } from '../../sandbox/folders/write-inside.ts'
import { GitError } from '../../sandbox/machine/run-git.ts'
import type { KeepWorkspaces } from '../../schema/keep-workspaces.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { WorkflowId } from '../../schema/stage/chain-state.ts'
import type { Task } from '../../schema/task.ts'
import { StorageError } from '../../text/errors.ts'
import { storageError } from '../journal/storage.ts'
import { Interrupted } from '../state/recorded-steps.ts'
import type { FinishedTrial } from '../trial/grade-trial.ts'
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
  const { folder, keep, assertWritable, warn } = options
  const all = join(folder, 'workspaces')
  const warned = new Set<string>()
  if (lstatSync(all, { throwIfNoEntry: false })?.isDirectory()) removeDrafts(options, all)
  else if (keep === 'none') return undefined
  return {
    async keep(task, finished) {
      const { record, branch, secret } = finished
      if (!isKept(keep, record))
        return withFailures(options, all, () => {
          assertWritable()
          removeInside(all, setAside(all, record.trial))
        })
      const files = keptFiles(task, branch.state, { secret })
      await withFailures(options, all, async () => {
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
      })
      const place = `workspaces/${record.trial}/files`
      for (const note of dangerNotes(place, files.leftOut, writtenPaths(files))) {
        // Many trials of a task write the same names.
        const same = note.slice(place.length)
        if (!warned.has(same)) warn(note)
        warned.add(same)
      }
    },
  }
}

const isKept = (keep: KeepWorkspaces, { passed }: TrialRecord) =>
  keep === 'all' || (keep === 'failed' && passed !== true)

/**
 * Returns the branch of a trial's graded files: that of the chained workflow whose state the record's state is, or holds as `state`; else
 * `bench/TRIAL`.
 */
export function branchOf({ trial, state }: Pick<TrialRecord, 'trial' | 'state'>): string {
  const ship = fieldOf(fieldOf(state, 'state') ?? state, 'ship')
  const [, workflow] = /^bench\/(.*)$/s.exec(String(fieldOf(ship, 'branch'))) ?? []
  return WorkflowId.safeParse(workflow).success ? `bench/${workflow}` : `bench/${trial}`
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

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

/** Renames a kept workspace, since a kill could leave half of one that is being removed. Returns its name, also if there is none. */
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
