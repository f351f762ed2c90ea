import { finalFiles } from '../../graders/grader.ts'
import { isVersionControlPath } from '../../sandbox/folders/paths.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { WorkflowId } from '../../schema/stage/chain-state.ts'
import type { Files, Task } from '../../schema/task.ts'
import { withheldText } from '../branch/trial-state.ts'
import { filesOf, pathsTo, type State } from '../branch/workspace.ts'

/** What is kept of a trial's files. */
export interface KeptFiles {
  /** The files that the trial began with. */
  start: Files
  /** The files that were graded, or would have been. */
  graded: Files
  /** Files that are in neither, since they would make a repository of their folder. */
  leftOut: string[]
}

/**
 * Returns what is kept of a trial's files. With `secret` each file that differs from the start holds a note in place of its text,
 * which may be the reference solution.
 */
export function keptFiles(task: Task, state: State, { secret }: { secret: boolean }): KeptFiles {
  const final = finalFiles(task, filesOf(state))
  const leftOut = repositoryFiles([...new Set([...Object.keys(task.files), ...Object.keys(final)])])
  const start = without(task.files, leftOut)
  const graded = without(final, leftOut)
  return { start, graded: secret ? withheldIn(start, graded) : graded, leftOut }
}

/** Returns the paths that the trial added or changed. */
export const writtenPaths = ({ start, graded }: KeptFiles): string[] =>
  Object.keys(graded).filter((path) => !Object.hasOwn(start, path) || start[path] !== graded[path])

/** Returns the paths that the trial deleted. */
export const deletedPaths = ({ start, graded }: KeptFiles): string[] =>
  Object.keys(start).filter((path) => !Object.hasOwn(graded, path))

function without(files: Files, paths: readonly string[]): Files {
  if (paths.length === 0) return files
  return Object.fromEntries(Object.entries(files).filter(([path]) => !paths.includes(path)))
}

function withheldIn(start: Files, graded: Files): Files {
  const written = writtenPaths({ start, graded, leftOut: [] }).map((path) => [path, withheldText])
  return { ...graded, ...Object.fromEntries(written) }
}

const mostNamed = 5

/** Returns notes about the files that a folder omits because of `repositoryFiles`, and about those of `paths` that tools load. */
export function dangerNotes(place: string, leftOut: readonly string[], paths: readonly string[]): string[] {
  const autoloaded = autoloadedFiles(paths)
  const notes: string[] = []
  if (leftOut.length > 0)
    notes.push(
      `${place} omits ${named(leftOut)}: with this, git would treat the folder as a repository and start programs that its config names`,
    )
  if (autoloaded.length > 0)
    notes.push(
      `${place} contains ${named(autoloaded)}: tools load such files automatically. Read them before you work in that folder`,
    )
  return notes
}

const named = (paths: readonly string[]) =>
  paths.length > mostNamed
    ? `${paths.slice(0, mostNamed).join(', ')} and ${paths.length - mostNamed} more`
    : paths.join(', ')

/** Names of files and folders that tools load automatically, such as hooks, settings and lists of servers or programs. */
const autoloadedName =
  /^(?:\.npmrc|\.yarnrc|\.yarnrc\.yml|\.yarn|\.pnpmfile\.cjs|\.envrc|\.direnv|\.vscode|\.idea|\.fleet|\.zed|\.devcontainer|\.husky|\.githooks|hooks|\.pre-commit-config\.yaml|lefthook\.ya?ml|\.gitmodules|\.gitattributes|\.mise\.toml|\.tool-versions|\.bazelrc|\.cargo|\.mvn|\.gdbinit|\.lldbinit|\.dir-locals\.el|\.n?vimrc|\.exrc|\.(?:ba|z|k)?sh(?:rc|env)|\.bash_profile|\.z?profile|\.zlogin|\.irbrc|\.pryrc|\.rprofile|\.netrc|\.curlrc|\.wgetrc|\.ssh|\.docker|\.claude|\.codex|\.cursor|\.gemini|\.qwen|\.opencode|\.mcp\.json|pyvenv\.cfg|sitecustomize\.py|usercustomize\.py)$/i

/** Returns the files that a folder must not hold, since git would treat it, or a folder in it, as a repository. */
export function repositoryFiles(paths: readonly string[]): string[] {
  return [...paths.filter(isVersionControlPath), ...repositoryHeads(paths)]
}

/** Returns the paths that tools load automatically, by the name of the file or of a folder above it. */
export function autoloadedFiles(paths: readonly string[]): string[] {
  return paths.filter((path) => path.split('/').some((part) => autoloadedName.test(part)))
}

/**
 * Returns the files named HEAD that would turn their folder into a git repository. Git accepts any folder that has HEAD with
 * `objects` and `refs`, or with `commondir`, and obeys its `config`.
 */
export function repositoryHeads(paths: readonly string[]): string[] {
  const places = new Set(paths.flatMap((path) => pathsTo(path.toLowerCase())))
  return paths.filter((path) => {
    if (!/(?:^|\/)head$/i.test(path)) return false
    const folder = path.slice(0, -'HEAD'.length).toLowerCase()
    const has = (name: string) => places.has(folder + name)
    return has('commondir') || (has('objects') && has('refs'))
  })
}

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
