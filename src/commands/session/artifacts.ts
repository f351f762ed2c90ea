import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { unifiedDiff } from '../../loop/files/workspace.ts'
import type { FinishedTrial } from '../../loop/trial/grade-trial.ts'
import { removeTree } from '../../sandbox/folders/remove-tree.ts'
import { writeInside } from '../../sandbox/folders/write-inside.ts'
import { isOfVersionControl } from '../../sandbox/machine/version-control.ts'

/**
 * Writes what a trial of a free request made into `artifacts/<trial>/`, anew: the answer, the change set, the changed files.
 * Gives what is to be told of them: they are a model's work, and somebody will look into that folder.
 */
export function saveArtifacts(folder: string, { record, branch }: FinishedTrial): string[] {
  const all = join(folder, 'artifacts')
  const target = join(all, record.trial)
  mkdirSync(all, { recursive: true })
  removeTree(target)
  const { state } = branch
  if (state.answer !== undefined) writeInside(target, 'answer.md', state.answer)
  writeInside(target, 'changes.patch', unifiedDiff(state))
  const files = [...state.changed].filter((file): file is [string, string] => file[1] !== null)
  const paths = files.map(([path]) => path)
  const leftOut = [...paths.filter(isOfVersionControl), ...repositoryHeads(paths)]
  for (const [path, content] of files)
    if (!leftOut.includes(path)) writeInside(target, `files/${path}`, content)
  return notesOn(`artifacts/${record.trial}/files`, leftOut, autoloadedFiles(paths))
}

const mostNamed = 5

function notesOn(place: string, leftOut: readonly string[], autoloaded: readonly string[]): string[] {
  const notes: string[] = []
  if (leftOut.length > 0)
    notes.push(
      `${place} lacks ${named(leftOut)}: with that, git would take the folder for a repository and start programs that its config names`,
    )
  if (autoloaded.length > 0)
    notes.push(
      `${place} holds ${named(autoloaded)}: tools obey such files without being asked. Read them before you work in that folder`,
    )
  return notes
}

const named = (paths: readonly string[]) =>
  paths.length > mostNamed
    ? `${paths.slice(0, mostNamed).join(', ')} and ${paths.length - mostNamed} more`
    : paths.join(', ')

/** Names of files and folders that tools obey without being asked: they name programs, hooks, servers or settings. */
const autoloaded =
  /^(?:\.npmrc|\.yarnrc|\.yarnrc\.yml|\.yarn|\.pnpmfile\.cjs|\.envrc|\.direnv|\.vscode|\.idea|\.fleet|\.zed|\.devcontainer|\.husky|\.githooks|hooks|\.pre-commit-config\.yaml|lefthook\.ya?ml|\.gitmodules|\.gitattributes|\.mise\.toml|\.tool-versions|\.bazelrc|\.cargo|\.mvn|\.gdbinit|\.lldbinit|\.dir-locals\.el|\.n?vimrc|\.exrc|\.(?:ba|z|k)?sh(?:rc|env)|\.bash_profile|\.z?profile|\.zlogin|\.irbrc|\.pryrc|\.rprofile|\.netrc|\.curlrc|\.wgetrc|\.ssh|\.docker|\.claude|\.codex|\.cursor|\.gemini|\.qwen|\.opencode|\.mcp\.json|pyvenv\.cfg|sitecustomize\.py|usercustomize\.py)$/i

/** Those paths of which some part is the name of what tools obey. */
export function autoloadedFiles(paths: readonly string[]): string[] {
  return paths.filter((path) => path.split('/').some((part) => autoloaded.test(part)))
}

/**
 * Files named HEAD that would make a git repository of the folder that they stand in, whatever it is called: git takes one with
 * `objects` and `refs` beside it, or with `commondir`, and obeys its `config`.
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

/** `a`, `a/b` and `a/b/c` of `a/b/c`. */
function prefixes(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'))
}
