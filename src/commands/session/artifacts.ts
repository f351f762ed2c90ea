import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unifiedDiff } from '../../loop/files/workspace.ts'
import type { FinishedTrial } from '../../loop/trial/grade-trial.ts'
import { removeTree } from '../../sandbox/folders/remove-tree.ts'
import { ensureFolder, writeInside } from '../../sandbox/folders/write-inside.ts'
import { isVersionControlPath } from '../../sandbox/machine/version-control.ts'

/** The list of the files that a trial wrote, which are in `files/`, and of those that it deleted. */
const changedFiles = 'changed-files.json'

/**
 * Writes the work of a free request's trial into `artifacts/<trial>/`, replacing an earlier version: answer, change set and
 * changed files. The method's outputs there stay. Returns warnings about files that are dangerous to work beside, since a model wrote them.
 */
export function saveArtifacts(folder: string, { record, branch }: FinishedTrial): string[] {
  const all = join(folder, 'artifacts')
  const target = join(all, record.trial)
  mkdirSync(all, { recursive: true })
  ensureFolder(target)
  for (const name of ['answer.md', 'changes.patch', changedFiles, 'files']) removeTree(join(target, name))
  const { state } = branch
  if (state.answer !== undefined) writeInside(target, 'answer.md', state.answer)
  writeInside(target, 'changes.patch', unifiedDiff(state))
  const files = [...state.changed].filter((file): file is [string, string] => file[1] !== null)
  const paths = files.map(([path]) => path)
  const leftOut = [...paths.filter(isVersionControlPath), ...repositoryHeads(paths)]
  const written = paths.filter((path) => !leftOut.includes(path))
  for (const [path, content] of files)
    if (written.includes(path)) writeInside(target, `files/${path}`, content)
  const deleted = [...state.changed].flatMap(([path, content]) => (content === null ? [path] : []))
  writeInside(target, changedFiles, `${JSON.stringify({ written, deleted }, null, 2)}\n`)
  return notesOn(`artifacts/${record.trial}/files`, leftOut, autoloadedFiles(paths))
}

/** Returns the files that a free request's trial changed, by path; null is a deleted file. */
export function readChangedFiles(folder: string, trial: string): Record<string, string | null> {
  const target = join(folder, 'artifacts', trial)
  const { written, deleted } = JSON.parse(readFileSync(join(target, changedFiles), 'utf8')) as {
    written: string[]
    deleted: string[]
  }
  return Object.fromEntries([
    ...written.map((path) => [path, readFileSync(join(target, 'files', path), 'utf8')] as const),
    ...deleted.map((path) => [path, null] as const),
  ])
}

const mostNamed = 5

function notesOn(place: string, leftOut: readonly string[], autoloaded: readonly string[]): string[] {
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
const autoloaded =
  /^(?:\.npmrc|\.yarnrc|\.yarnrc\.yml|\.yarn|\.pnpmfile\.cjs|\.envrc|\.direnv|\.vscode|\.idea|\.fleet|\.zed|\.devcontainer|\.husky|\.githooks|hooks|\.pre-commit-config\.yaml|lefthook\.ya?ml|\.gitmodules|\.gitattributes|\.mise\.toml|\.tool-versions|\.bazelrc|\.cargo|\.mvn|\.gdbinit|\.lldbinit|\.dir-locals\.el|\.n?vimrc|\.exrc|\.(?:ba|z|k)?sh(?:rc|env)|\.bash_profile|\.z?profile|\.zlogin|\.irbrc|\.pryrc|\.rprofile|\.netrc|\.curlrc|\.wgetrc|\.ssh|\.docker|\.claude|\.codex|\.cursor|\.gemini|\.qwen|\.opencode|\.mcp\.json|pyvenv\.cfg|sitecustomize\.py|usercustomize\.py)$/i

/** Returns the paths that tools load automatically, by the name of the file or of a folder above it. */
export function autoloadedFiles(paths: readonly string[]): string[] {
  return paths.filter((path) => path.split('/').some((part) => autoloaded.test(part)))
}

/**
 * Returns the files named HEAD that would turn their folder into a git repository. Git accepts any folder that has HEAD with
 * `objects` and `refs`, or with `commondir`, and obeys its `config`.
 */
export function repositoryHeads(paths: readonly string[]): string[] {
  const places = new Set(paths.flatMap((path) => prefixes(path.toLowerCase())))
  return paths.filter((path) => {
    if (!/(?:^|\/)head$/i.test(path)) return false
    const folder = path.slice(0, -'HEAD'.length).toLowerCase()
    const has = (name: string) => places.has(folder + name)
    return has('commondir') || (has('objects') && has('refs'))
  })
}

/** Returns `a`, `a/b` and `a/b/c` for `a/b/c`. */
function prefixes(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'))
}
