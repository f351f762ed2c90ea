import { findPathConflict } from '../sandbox/folders/paths.ts'
import { normalizePath, sizeLimits } from '../sandbox/folders/workspace-path.ts'
import type { Files } from '../schema/task.ts'
import { checkCount } from '../schema/tool/result-text.ts'
import type { WorkspaceToolName } from '../schema/tool/tool.ts'
import type { CheckResult } from '../strategy.ts'
import { missingFile, nearPath } from './missing-file.ts'
import { longestResult, readFile } from './read-file.ts'
import type { ToolPlace, ToolResult } from './tool-result.ts'

type Args = Readonly<Record<string, unknown>>

/** Makes a call of a workspace tool. `args` match its schema. */
export async function callWorkspaceTool(
  name: WorkspaceToolName,
  args: Args,
  place: ToolPlace,
): Promise<ToolResult> {
  if (name === 'check') return ok(checkText(await place.check()))
  const files = place.files()
  if (name === 'list') return listFiles(files, args)
  const given = String(args.path)
  const normal = normalizePath(given)
  if ('problem' in normal) return denied(given, normal.problem, nearPath(files, given, name === 'write'))
  return name === 'read' ? readFile(files, normal.path, args) : writeFile(files, normal.path, args, place)
}

const ok = (text: string): ToolResult => ({ outcome: 'ok', text })
const failed = (text: string): ToolResult => ({ outcome: 'failed', text })
const denied = (path: string, problem: string, near: string | undefined): ToolResult => ({
  outcome: 'denied',
  text: `The path ${quoted(path)} ${problem}.${meant(near)} Name a file of the workspace by its relative path, such as src/main.py.`,
})
const meant = (near: string | undefined) => (near === undefined ? '' : ` Did you mean ${near}?`)

const quoted = (text: string) => JSON.stringify(text.slice(0, 200))

function checkText({ status, passed, total, output }: CheckResult): string {
  if (status === 'none') return 'This task has no visible checks.'
  const head = checkCount({ passed, total })
  return output.trim() === '' ? head : `${head}\n${output}`
}

function listFiles(files: Files, args: Args): ToolResult {
  const given = String(args.folder ?? '')
  const isRoot = /^\s*(?:\.?[\\/]*)\s*$/.test(given) && !/^\s*[\\/]/.test(given)
  const normal = isRoot ? { path: '' } : normalizePath(given)
  if ('problem' in normal)
    return {
      outcome: 'denied',
      text: `The folder ${quoted(given)} ${normal.problem}.${meant(nearPath(files, given))} Name a folder of the workspace, such as src, or none for all files.`,
    }
  const start = normal.path === '' ? '' : `${normal.path}/`
  const paths = pathsOf(files).filter((path) => path.startsWith(start))
  if (paths.length > 0) return ok(shortList(paths, start))
  if (start === '') return ok('(the workspace has no files)')
  if (Object.hasOwn(files, normal.path)) return failed(`${normal.path} is a file. Call read to see it.`)
  return failed(`There is no folder ${normal.path}. ${foldersText(files)}`)
}

const pathsOf = (files: Files) => Object.keys(files).sort()

/** Returns paths, one a line; of too many the first, and how many each folder has. */
function shortList(paths: readonly string[], start: string): string {
  let length = 0
  let shown = 0
  for (; shown < paths.length; shown++) {
    length += (paths[shown] as string).length + 1
    if (length > longestResult / 2) break
  }
  const text = paths.slice(0, shown).join('\n')
  if (shown === paths.length) return text
  const folders = [...countFolders(paths, start)].slice(0, 50).map(([name, n]) => `${name} (${n})`)
  return `${text}\n[the first ${shown} of ${paths.length} files; list one folder to see more: ${folders.join(', ')}]`
}

function countFolders(paths: readonly string[], start: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const slash = path.indexOf('/', start.length)
    if (slash >= 0) counts.set(path.slice(0, slash), (counts.get(path.slice(0, slash)) ?? 0) + 1)
  }
  return counts
}

function foldersText(files: Files): string {
  const folders = [...countFolders(pathsOf(files), '').keys()].slice(0, 20)
  return folders.length === 0 ? 'The workspace has no folders.' : `Folders: ${folders.join(', ')}.`
}

function writeFile(
  files: Files,
  path: string,
  { content, delete: isDeletion }: Args,
  { counted }: ToolPlace,
): ToolResult {
  if (isDeletion === true && content !== undefined) return invalid('Give either content or delete, not both.')
  if (isDeletion !== true && content === undefined)
    return invalid('Give content, the whole new text of the file, or delete: true.')
  const before = Object.hasOwn(files, path) ? files[path] : undefined
  if (isDeletion === true) {
    if (before === undefined) return missingFile(files, path)
    return {
      outcome: 'ok',
      text: `Deleted ${path}.${countText(path, counted)}`,
      edits: [{ path, content: null }],
    }
  }
  const text = String(content)
  const bytes = Buffer.byteLength(text)
  if (bytes > sizeLimits.fileBytes)
    return failed(`The content has ${bytes} bytes; a file may have at most ${sizeLimits.fileBytes}.`)
  if (before === undefined && clashes(files, path))
    return failed(
      `${path} would stand where a folder does, or need a folder where a file is. Choose another path.`,
    )
  if (before === text) return ok(`${path} already has this content. Nothing changed.`)
  const size = bytes === 1 ? '1 byte' : `${bytes} bytes`
  const done = before === undefined ? 'Created' : 'Replaced'
  return {
    outcome: 'ok',
    text: `${done} ${path} (${size}).${countText(path, counted)}`,
    edits: [{ path, content: text }],
  }
}

/** Says of a file that the task does not take from the work that it does not count. */
function countText(path: string, counted: ToolPlace['counted']): string {
  if (!counted || counted.has(path)) return ''
  return ` It does not count: only these files are taken from your work when the task is checked and graded: ${counted.names.join(', ')}.`
}

const invalid = (text: string): ToolResult => ({ outcome: 'invalid', text })

function clashes(files: Files, path: string): boolean {
  const conflict = findPathConflict([...Object.keys(files), path])
  return conflict !== undefined && (conflict === path || path.startsWith(`${conflict}/`))
}
