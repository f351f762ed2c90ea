import { type Dirent, existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Problem, UserError } from '../errors.ts'
import { largest } from '../loop/file-blocks.ts'
import { readPlain } from '../loop/folder.ts'
import { pathProblem } from '../sandbox/paths.ts'
import type { Rejected } from '../schema/change.ts'
import type { Files } from '../schema/task.ts'
import { ignoreRules } from './ignore-rules.ts'
import { isIncluded, leadsToIncluded } from './included-paths.ts'
import { keyLikeIn } from './key-like.ts'
import { isKeyFile, isKeyFolder } from './key-names.ts'
import { isRun } from './run-files.ts'

/** What of a user's folder the agents get, and what not. */
export interface WorkspaceFiles {
  files: Files
  /** Bytes by path, in the order of the paths. */
  sizes: ReadonlyMap<string, number>
  /** Folders end in a slash: nothing in them was looked at. */
  leftOut: Rejected[]
}

const versionControl = new Set(['.git', '.hg', '.svn', '.jj', '.bzr', '.sl', '.pijul', '_darcs', 'cvs'])
const madeByTools = new Set(['node_modules', 'bower_components', '__pycache__'])

/** Nobody means a folder with so much in it, and to look at all of it would take minutes. */
const mostEntries = 100_000

/**
 * Reads a user's folder for a free request: its text files, without what git ignores, what looks like a key and what is no
 * work of anybody's. What is included by name is taken whatever the rules say. No link is followed. Throws `UserError`
 * where the folder holds more than a run could take.
 */
export function readWorkspace(folder: string, included: readonly string[]): WorkspaceFiles {
  const files: Record<string, string> = {}
  const sizes = new Map<string, number>()
  const leftOut: Rejected[] = []
  const rules = ignoreRules(folder)
  let entries = 0
  let bytes = 0

  const take = (path: string, isNamed: boolean) => {
    const text = readPlain(join(folder, path), largest.fileBytes)
    if (text.reason !== undefined) return text.reason
    const reason = isNamed ? undefined : contentReason(text.content, path)
    if (reason !== undefined) return reason
    bytes += text.size
    if (sizes.size >= largest.files || bytes > largest.bytes) throw tooMuch(folder)
    files[path] = text.content
    sizes.set(path, text.size)
    return undefined
  }

  const entriesOf = (relative: string): Dirent[] => {
    try {
      const found = readdirSync(join(folder, relative), { withFileTypes: true })
      entries += found.length
      if (entries > mostEntries) throw tooMuch(folder)
      return found.sort((a, b) => (a.name < b.name ? -1 : 1))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (error instanceof UserError) throw error
      const reason = `cannot be read (${code})`
      if (relative === '')
        throw new UserError({ where: `--workspace ${folder}`, what: reason, fix: 'Give a readable folder.' })
      leftOut.push({ path: `${relative}/`, reason })
      return []
    }
  }

  const visit = (relative: string) => {
    rules.enter(relative)
    for (const entry of entriesOf(relative)) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`
      const isFolder = entry.isDirectory()
      const isNamed = included.includes(path)
      const unfit = entry.isSymbolicLink() ? 'is a symbolic link' : pathProblem(path)
      const ruled = () => (isFolder ? folderReason(folder, path) : fileReason(path))
      const ignored = () =>
        !isIncluded(path, included) && rules.isIgnored(path, isFolder) ? byIgnoreRules : undefined
      const reason = unfit ?? (isNamed ? undefined : (ruled() ?? ignored()))
      const found = reason ?? (isFolder ? undefined : take(path, isNamed))
      if (found !== undefined) leftOut.push({ path: isFolder ? `${path}/` : path, reason: found })
      if (!isFolder || unfit !== undefined) continue
      if (reason === undefined) visit(path)
      else if (leadsToIncluded(path, included)) visitIncluded(path)
    }
  }

  /** Of a folder that is left out, only what is included in it. */
  const visitIncluded = (relative: string) => {
    for (const entry of entriesOf(relative)) {
      const path = `${relative}/${entry.name}`
      if (entry.isDirectory() && included.includes(path)) visit(path)
      else if (entry.isDirectory() && leadsToIncluded(path, included)) visitIncluded(path)
      else if (included.includes(path)) {
        const reason = entry.isSymbolicLink() ? 'is a symbolic link' : (pathProblem(path) ?? take(path, true))
        if (reason !== undefined) leftOut.push({ path, reason })
      }
    }
  }

  visit('')
  mustHoldAll(folder, included, { files, sizes, leftOut })
  return { files, sizes, leftOut }
}

/** Throws `UserError` with each file that is included by name and cannot be taken. */
function mustHoldAll(folder: string, included: readonly string[], { sizes, leftOut }: WorkspaceFiles): void {
  const problems = included.flatMap((path): Problem[] => {
    if (sizes.has(path) || isFolderThere(folder, path)) return []
    const reason = leftOut.find((one) => one.path === path)?.reason ?? 'lies behind a symbolic link'
    return [
      {
        where: `--include ${path}`,
        what: reason,
        fix: 'Only text files of the workspace itself can be taken.',
      },
    ]
  })
  if (problems.length > 0) throw new UserError(problems)
}

/** Without a link on the way. */
const isFolderThere = (folder: string, path: string) =>
  path.split('/').every((_, i, parts) => lstatSync(join(folder, ...parts.slice(0, i + 1))).isDirectory())

/** Why ignore rules leave something out. */
export const byIgnoreRules = 'is ignored by git'

function folderReason(folder: string, path: string): string | undefined {
  const name = path.split('/').at(-1)?.toLowerCase() ?? ''
  const has = (file: string) => existsSync(join(folder, path, file))
  if (versionControl.has(name) || (has('HEAD') && has('objects') && has('refs')))
    return 'belongs to version control'
  if (madeByTools.has(name) || has('pyvenv.cfg')) return 'is made by tools'
  if (isRun(join(folder, path))) return 'is a run of bench'
  return isKeyFolder(path) ? 'is a place for keys' : undefined
}

function fileReason(path: string): string | undefined {
  if (path.split('/').at(-1) === '.git') return 'belongs to version control'
  return isKeyFile(path) ? 'is named like a key' : undefined
}

function contentReason(text: string, path: string): string | undefined {
  const key = keyLikeIn(text, path)
  if (key !== undefined) return `holds what looks like ${key}`
  return isResultsPage(text) ? 'is a results page of bench' : undefined
}

/** As src/reports/html/page.ts writes it. */
const isResultsPage = (text: string) =>
  /^<!doctype html>/i.test(text) && text.includes('<script type="application/json" id="stories">')

const tooMuch = (folder: string) =>
  new UserError({
    where: `--workspace ${folder}`,
    what: `holds more than a run can take: ${largest.files} files, ${largest.bytes} bytes, or ${mostEntries} entries`,
    fix: 'Give a smaller folder, or name in .gitignore what is no part of the work.',
  })
