import { findPathConflict, normalizePath, sizeLimits } from '../sandbox/folders/paths.ts'
import type { Files } from '../schema/task.ts'
import type { WorkspaceToolName } from '../schema/tool/tool.ts'
import { checkCount } from '../schema/tool/tool-call.ts'
import type { CheckResult } from '../strategy.ts'
import { didYouMean } from '../text/near-word.ts'
import type { ToolPlace, ToolResult } from './definitions.ts'

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

/** Most characters of one result: a model that reads a huge file would have no room for anything else. */
export const longestResult = 40_000

/** Returns a file, or as much of it as one result may have, and how to read on. */
function readFile(files: Files, path: string, args: Readonly<Record<string, unknown>>): ToolResult {
  if (!Object.hasOwn(files, path)) return missingFile(files, path)
  const text = files[path] as string
  if (text === '') return ok(`(${path} is empty)`)
  const lines = text.split('\n')
  const count = text.endsWith('\n') ? lines.length - 1 : lines.length
  const from = Number(args.from_line ?? 1)
  if (from > count) return failed(`${path} has ${lineCount(count)}, so it has no line ${from}.`)
  const first = lines[from - 1] as string
  const start = Number(args.from_character ?? 1)
  if (start > Math.max(1, first.length))
    return failed(`Line ${from} of ${path} has ${first.length} characters, so it has no character ${start}.`)
  lines[from - 1] = first.slice(start - 1)
  const most = Math.min(count, from - 1 + Number(args.lines ?? count))
  let length = 0
  let to = from - 1
  while (to < most && length + (lines[to] as string).length + 1 <= longestResult) {
    length += (lines[to] as string).length + 1
    to++
  }
  if (to === from - 1) return partOfLine(first, start, `line ${from} of ${count}`, from)
  if (from === 1 && start === 1 && to === count) return ok(text)
  const isOne = from === to && start > 1
  const range = isOne ? `line ${from} of ${count}` : `lines ${from} to ${to} of ${count}`
  const cut = start === 1 ? '' : `, from character ${start}${isOne ? '' : ` of line ${from}`}`
  const rest = to < count ? `; read on with from_line ${to + 1}` : ''
  return ok(`${lines.slice(from - 1, to).join('\n')}\n[${range}${cut}${rest}]`)
}

function partOfLine(line: string, start: number, place: string, number: number): ToolResult {
  const whole = line.slice(start - 1, start - 1 + longestResult)
  // A character outside of the Basic Multilingual Plane is two of JavaScript's.
  const part = /[\ud800-\udbff]$/.test(whole) ? whole.slice(0, -1) : whole
  const next = start + part.length
  const rest = `; read on with from_line ${number} and from_character ${next}`
  return ok(`${part}\n[${place}, characters ${start} to ${next - 1} of ${line.length}${rest}]`)
}

const lineCount = (count: number) => (count === 1 ? '1 line' : `${count} lines`)

/** The error for a path without a file: it names files that are near. */
function missingFile(files: Files, path: string): ToolResult {
  const paths = Object.keys(files).sort()
  if (paths.some((other) => other.startsWith(`${path}/`)))
    return failed(`${path} is a folder. Call list with it to see its files.`)
  const name = path.slice(path.lastIndexOf('/') + 1)
  const equal = paths.filter((other) => other === name || other.endsWith(`/${name}`)).slice(0, 5)
  const near = equal.length > 0 ? `Files of that name: ${equal.join(', ')}.` : didYouMean(path, paths)
  const few = paths.slice(0, 10).join(', ')
  const others = paths.length === 0 ? 'The workspace has no files.' : `The files begin with: ${few}.`
  return failed(`There is no file ${path}. ${near ?? others}`)
}

/**
 * Returns the file or folder of the workspace that a path outside of it ends with: agents often write the path that a file would have
 * on a machine. A file to create is looked for behind a leading slash alone.
 */
function nearPath(files: Files, given: string, isNew = false): string | undefined {
  const parts = given.split(/[\\/]+/).filter((part) => part !== '' && part !== '.')
  const ends = parts.slice(0, mostParts).map((_, i) => parts.slice(i).join('/'))
  const paths = Object.keys(files)
  const known = ends.find(
    (end) => Object.hasOwn(files, end) || paths.some((one) => one.startsWith(`${end}/`)),
  )
  if (known !== undefined || !isNew || !/^\s*[\\/]/.test(given)) return known
  const normal = normalizePath(parts.join('/'))
  return 'path' in normal ? normal.path : undefined
}

/** A path with more parts is not looked through: it is no slip. */
const mostParts = 50
