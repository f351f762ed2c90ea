import { randomUUID } from 'node:crypto'
import { lstatSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { removeTree } from '../../sandbox/folders/remove-tree.ts'
import { ensureFolder, removeInside, writeInside } from '../../sandbox/folders/write-inside.ts'
import { GitError, runGit } from '../../sandbox/machine/git.ts'
import type { KeepWorkspaces } from '../../schema/keep-workspaces.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { Files, Task } from '../../schema/task.ts'
import { StorageError } from '../../text/errors.ts'
import { Interrupted } from '../branch/recorded-steps.ts'
import { storageError } from '../journal/storage.ts'
import type { FinishedTrial } from '../trial/grade-trial.ts'
import { branchOf, dangerNotes, deletedPaths, type KeptFiles, keptFiles, writtenPaths } from './kept-files.ts'

/** Keeps the workspaces of a run's trials. */
export interface Keeper {
  /**
   * Keeps the workspace of a trial that has ended, whole or not at all, and replaces what an earlier session kept of it. Throws
   * `StorageError`, and `Interrupted` if the user's signal ended git.
   */
  keep(task: Task, finished: FinishedTrial): Promise<void>
}

interface KeeperOptions {
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

const startBranch = 'start'

/** The branch of the graded files, and the message of their commit. */
interface GradedCommit {
  branch: string
  message: string
}

/**
 * Makes a repository without a working tree: the start on branch `start`, and on it the graded files on a branch of their own. Equal
 * files and names give equal hashes, and the start that of a chained workflow. Throws `GitError`.
 */
export async function makeRepository(folder: string, files: KeptFiles, graded: GradedCommit): Promise<void> {
  const initial = ['-c', `init.defaultBranch=${graded.branch}`, 'init', '--quiet', '--bare', '--template=']
  await runGit([...initial, folder])
  // One pack is fewer files than an object each.
  const importing = ['-c', 'fastimport.unpackLimit=0', `--git-dir=${folder}`, 'fast-import']
  await runGit([...importing, '--quiet', '--done', '--date-format=raw'], historyOf(files, graded))
}

/**
 * Returns both commits as input of `git fast-import`. `git add` would not do: a `.gitignore` or `.gitattributes` among the files
 * would leave files out and change others.
 */
function historyOf(files: KeptFiles, { branch, message }: GradedCommit): string {
  const deleted = deletedPaths(files).map((path) => `D ${quoted(path)}\n`)
  return [
    commit(startBranch, 'Start'),
    ...Object.keys(files.start).map((path) => file(files.start, path)),
    commit(branch, message),
    `from refs/heads/${startBranch}\n`,
    // First, since a new file may need the name of a folder that is gone.
    ...deleted,
    ...writtenPaths(files).map((path) => file(files.graded, path)),
    'done\n',
  ].join('')
}

/** 2000-01-01 in UTC, so that equal files give equal hashes; the same as in strategies/chained/repository.mjs. */
const person = 'bench <bench@localhost> 946684800 +0000'

const commit = (branch: string, message: string) =>
  `commit refs/heads/${branch}\nauthor ${person}\ncommitter ${person}\n${data(message)}`

const file = (files: Files, path: string) => `M 100644 inline ${quoted(path)}\n${data(files[path] ?? '')}`

const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`

const quoted = (path: string) => `"${path.replace(/["\\]/g, '\\$&')}"`
