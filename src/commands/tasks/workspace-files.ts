import { type Dirent, existsSync, lstatSync, readdirSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isRunFolder } from '../../loop/record/run-folder.ts'
import { pathProblem, sizeLimits } from '../../sandbox/folders/paths.ts'
import { readPlainText } from '../../sandbox/folders/read-inside.ts'
import type { Rejected } from '../../schema/method/change.ts'
import type { Files } from '../../schema/task.ts'
import { type Problem, problemAt, UserError } from '../../text/errors.ts'
import { isKeyFile, isKeyFolder } from '../../text/key-names.ts'
import { findKeyText } from '../../text/key-text.ts'
import { type IgnoreRules, loadIgnoreRules } from './ignore-rules.ts'

/** The files of a user's folder that the agents get, and those that are left out. */
export interface WorkspaceFiles {
  files: Files
  /** Bytes by path, in the order of the paths. */
  sizes: ReadonlyMap<string, number>
  /** Paths with reasons. A folder ends with a slash; bench did not look into it. */
  leftOut: Rejected[]
}

/** Maximum number of entries in a workspace; listing more would take minutes. */
const maxEntries = 100_000

/**
 * Reads the text files of a user's folder for a free request. Leaves out ignored files, keys, and files that tools made, unless
 * they are included by name. Does not follow links. Throws `UserError` if the folder is too large for a run.
 */
export async function readWorkspace(folder: string, included: readonly string[]): Promise<WorkspaceFiles> {
  const reading: Reading = {
    ...{ folder, included, rules: await loadIgnoreRules(folder), entries: 0, bytes: 0 },
    ...{ files: {}, sizes: new Map(), leftOut: [] },
  }
  readFolder(reading, '', false)
  requireIncluded(reading)
  const { files, sizes, leftOut } = reading
  return { files, sizes, leftOut }
}

interface Reading extends WorkspaceFiles {
  folder: string
  included: readonly string[]
  rules: IgnoreRules
  files: Record<string, string>
  sizes: Map<string, number>
  entries: number
  bytes: number
}

/** Reads one folder. From a folder that is left out, reads only the paths that are included by name. */
function readFolder(reading: Reading, relative: string, isLeftOut: boolean): void {
  const { included, rules, leftOut } = reading
  const entries = listEntries(reading, relative)
  if (entries.length > 0) rules.enter(relative)
  for (const entry of entries) {
    const path = relative === '' ? entry.name : `${relative}/${entry.name}`
    const leads = entry.isDirectory() && containsIncluded(path, included)
    const isNamed = included.includes(path)
    if (isLeftOut && !isNamed && !leads) continue
    const reason = isLeftOut && !isNamed ? undefined : takeEntry(reading, entry, path)
    if (reason !== undefined) leftOut.push({ path: entry.isDirectory() ? `${path}/` : path, reason })
    if (entry.isDirectory() && pathProblem(path) === undefined) {
      const isOut = reason !== undefined || (isLeftOut && !isNamed)
      if (!isOut || leads) readFolder(reading, path, isOut)
    }
  }
}

function takeEntry(reading: Reading, entry: Dirent, path: string): string | undefined {
  const { folder, included, rules } = reading
  const isFolder = entry.isDirectory()
  const isNamed = included.includes(path)
  const unfit = entry.isSymbolicLink() ? 'is a symbolic link' : pathProblem(path)
  if (unfit !== undefined) return unfit
  const ruled = isNamed ? undefined : isFolder ? folderReason(folder, path) : fileReason(path)
  if (ruled !== undefined) return ruled
  if (!isIncluded(path, included) && rules.isIgnored(path, isFolder)) return 'is ignored by git'
  return isFolder ? undefined : takeFile(reading, path, isNamed)
}

function takeFile(reading: Reading, path: string, isNamed: boolean): string | undefined {
  const text = readPlainText(join(reading.folder, path), sizeLimits.fileBytes)
  if (text.reason !== undefined) return text.reason
  // git treats a file with NUL bytes as binary, although it decodes as text.
  if (text.content.includes('\0')) return 'is no text'
  const reason = isNamed ? undefined : contentReason(text.content, path)
  if (reason !== undefined) return reason
  reading.bytes += text.size
  reading.files[path] = text.content
  reading.sizes.set(path, text.size)
  if (reading.sizes.size > sizeLimits.files || reading.bytes > sizeLimits.bytes)
    throw tooLargeError(reading.folder)
  return undefined
}

function listEntries(reading: Reading, relative: string): Dirent[] {
  const { folder, leftOut } = reading
  try {
    const found = readdirSync(join(folder, relative), { withFileTypes: true })
    reading.entries += found.length
    if (reading.entries > maxEntries) throw tooLargeError(folder)
    return found.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (error instanceof UserError) throw error
    const reason = `cannot be read (${(error as NodeJS.ErrnoException).code})`
    if (relative === '')
      throw new UserError({ where: `--workspace ${folder}`, what: reason, fix: 'Give a readable folder.' })
    leftOut.push({ path: `${relative}/`, reason })
    return []
  }
}

/** Throws `UserError` with each included path that could not be taken. */
function requireIncluded({ folder, included, sizes, leftOut }: Reading): void {
  const problems = included.flatMap((path): Problem[] => {
    if (sizes.has(path) || isFolderThere(folder, path)) return []
    const reason = leftOut.find((one) => one.path === path)?.reason ?? 'lies behind a symbolic link'
    return [
      problemAt(`--include ${path}`, reason, 'Only text files in the workspace itself can be included.'),
    ]
  })
  if (problems.length > 0) throw new UserError(problems)
}

const isFolderThere = (folder: string, path: string) =>
  path.split('/').every((_, i, parts) => lstatSync(join(folder, ...parts.slice(0, i + 1))).isDirectory())

const tooLargeError = (folder: string) =>
  new UserError({
    where: `--workspace ${folder}`,
    what: `is too large: a run can take ${sizeLimits.files} files, ${sizeLimits.bytes} bytes or ${maxEntries} entries`,
    fix: 'Give a smaller folder, or list files that are not needed in .gitignore.',
  })

/**
 * Resolves the paths of `--include`, which are relative to the folder or to the working folder. Returns them relative to the
 * folder, with `/`. Throws `UserError` with each path that does not exist in the folder.
 */
export function resolveIncludedPaths(folder: string, given: readonly string[]): string[] {
  const problems: Problem[] = []
  const paths = given.map((text) => {
    const found = [resolve(folder, text), resolve(text)].map((path) => within(folder, path)).find(Boolean)
    if (found === undefined)
      problems.push({
        where: `--include ${text}`,
        what: 'does not exist in the workspace',
        fix: 'Give the path of a file or folder, relative to the workspace.',
      })
    return found ?? ''
  })
  if (problems.length > 0) throw new UserError(problems)
  return [...new Set(paths)]
}

function within(folder: string, path: string): string | undefined {
  const inside = relative(folder, path)
  if (inside === '' || isAbsolute(inside) || inside.split(sep)[0] === '..') return undefined
  return lstatSync(path, { throwIfNoEntry: false }) ? inside.split(sep).join('/') : undefined
}

const isIncluded = (path: string, included: readonly string[]): boolean =>
  included.some((one) => path === one || path.startsWith(`${one}/`))

const containsIncluded = (folder: string, included: readonly string[]): boolean =>
  included.some((one) => one.startsWith(`${folder}/`))

const versionControl = new Set(['.git', '.hg', '.svn', '.jj', '.bzr', '.sl', '.pijul', '_darcs', 'cvs'])
const toolFolders = new Set(['node_modules', 'bower_components', '__pycache__'])

function folderReason(folder: string, path: string): string | undefined {
  const name = path.split('/').at(-1)?.toLowerCase() ?? ''
  const has = (file: string) => existsSync(join(folder, path, file))
  if (versionControl.has(name) || (has('HEAD') && has('objects') && has('refs')))
    return 'belongs to version control'
  if (toolFolders.has(name) || has('pyvenv.cfg')) return 'is made by tools'
  if (isRunFolder(join(folder, path))) return 'is a run of bench'
  return isKeyFolder(path) ? 'is a folder for keys' : undefined
}

/** Returns the reason to leave out a file because of its name, or undefined. */
export function fileReason(path: string): string | undefined {
  if (path.split('/').at(-1) === '.git') return 'belongs to version control'
  return isKeyFile(path) ? 'is named like a key' : undefined
}

/** Returns the reason to leave out a file because of its content, or undefined. */
export function contentReason(text: string, path: string): string | undefined {
  const key = findKeyText(text, path)
  if (key !== undefined) return `holds what looks like ${key}`
  return isResultsPage(text) ? 'is a results page of bench' : undefined
}

const isResultsPage = (text: string) =>
  /^<!doctype html>/i.test(text) && text.includes('<script type="application/json" id="stories">')
