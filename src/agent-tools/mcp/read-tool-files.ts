import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { namedFileProblem } from '../../sandbox/folders/named-file.ts'
import { findPathConflict } from '../../sandbox/folders/paths.ts'
import type { Files } from '../../schema/task.ts'
import type { ResolvedMcpTool } from '../../schema/tool/tool-set.ts'
import { sha256 } from '../../text/canonical-json.ts'
import type { Problem } from '../../text/errors.ts'

interface DeclaredFiles {
  /** Text by path, sorted. A path is as declared; of a folder, with the path in it behind. */
  files: Files
  /** Path and SHA-256 of each file, in the same order. */
  digests: ResolvedMcpTool['files']
  problems: Problem[]
}

const toolFileLimits = { files: 1000, fileBytes: 4 * 1024 ** 2, bytes: 16 * 1024 ** 2 }

const leftOut = new Set(['.git', '__pycache__'])

/**
 * Reads files and folders that a tool declares, below the working folder. It takes text files alone, within limits, and follows no
 * link inside of a folder, none that leads out of the working folder, and reads no file that is named like a key. All problems are
 * returned; `where` is in each.
 */
export function readToolFiles(
  cwd: string,
  paths: readonly string[],
  where = 'files',
  limits = toolFileLimits,
): DeclaredFiles {
  const found = new Map<string, string>()
  const problems: Problem[] = []
  const report = (path: string, what: string, fix: string) => {
    problems.push({ where, what: `${JSON.stringify(path)} ${what}`, fix })
  }
  let bytes = 0
  let isFull = false
  const take = (path: string) => {
    if (found.has(path) || isFull) return
    const { text, problem } = readText(join(cwd, path), limits.fileBytes)
    if (problem) return report(path, problem.what, problem.fix)
    bytes += Buffer.byteLength(text)
    isFull = found.size >= limits.files || bytes > limits.bytes
    if (isFull)
      return report(
        path,
        `is beyond the limits: ${limits.files} files, ${limits.bytes} bytes together`,
        smaller,
      )
    found.set(path, text)
  }
  const visit = (path: string) => {
    if (isFull) return
    const wrong = namedFileProblem(cwd, path)
    if (wrong) return report(path, wrong.what, wrong.fix)
    const kind = kindOf(join(cwd, path))
    if (kind === 'missing') return report(path, `does not exist in ${cwd}`, 'Correct the path.')
    if (kind === 'file') return take(path)
    if (kind === 'other') return report(path, 'is neither a file nor a folder', 'Declare text files.')
    for (const entry of readdirSync(join(cwd, path), { withFileTypes: true })) {
      const name = `${path}/${entry.name}`
      if (leftOut.has(entry.name)) continue
      if (entry.isSymbolicLink()) report(name, 'is a symbolic link', 'Declare the file that it leads to.')
      else visit(name)
    }
  }
  for (const given of paths) {
    const path = given.replace(/^(\.\/)+/, '').replace(/\/+$/, '')
    const before = problems.length
    visit(path)
    const more = problems.splice(before + mostOfFolder).length
    if (more > 0)
      report(path, `has ${more} more such entries`, 'Declare only the files that are needed, by name.')
  }
  const names = [...found.keys()].sort()
  const conflict = findPathConflict(names)
  if (conflict !== undefined) report(conflict, 'is a file and a folder', 'Declare one of them.')
  return {
    files: Object.fromEntries(names.map((name) => [name, found.get(name) as string])),
    digests: names.map((path) => ({ path, digest: sha256(found.get(path) as string) })),
    problems,
  }
}

/** The most problems of the entries of one folder that are told one by one. */
const mostOfFolder = 10

const smaller = 'Bundle the server into fewer files, or declare only those that it needs.'

function kindOf(path: string): 'file' | 'folder' | 'other' | 'missing' {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return 'missing'
  return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other'
}

interface ReadText {
  text: string
  problem?: Pick<Required<Problem>, 'what' | 'fix'>
}

function readText(path: string, longest: number): ReadText {
  try {
    const { size } = statSync(path)
    if (size > longest) return failed(`has ${size} bytes; a file may have ${longest}`, smaller)
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
    if (text.includes('\0')) return binary
    return { text }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return binary
    return failed(`cannot be read (${code})`, 'Check who may read it.')
  }
}

const failed = (what: string, fix: string): ReadText => ({ text: '', problem: { what, fix } })
const binary = failed('is no text file', 'Declare text files alone.')
