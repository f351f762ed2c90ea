import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { folderPrefix } from '../folders/folder-owner.ts'
import { removeTree } from '../folders/remove-tree.ts'
import { findPackage, type PackagePart, packagePrefix } from '../machine/python-packages.ts'
import { absolutePath, runTool } from '../machine/run-tool.ts'
import { findOnPath, remedyFor } from './on-path.ts'

/** A program that tasks may require. */
export interface Tool {
  name: string
  found: boolean
  /** What to start, absolute: for python3 the interpreter itself, not a version manager's shim. The name if it was not found. */
  path: string
  /** As reported by the program; empty if it is missing or reports none. */
  version: string
  /** How to get it. */
  remedy: string
  /** It is on PATH, but did not answer: that fact, as a sentence without a full stop. It counts as missing. */
  silent?: string
  /** Files of a package and of its dependencies. */
  parts?: readonly PackagePart[]
}

const known = new Map<string, Promise<Tool>>()

/** Finds programs by starting each with its version option; results are cached for the life of the process. */
export function findTools(names: readonly string[]): Promise<Tool[]> {
  return Promise.all(names.map(findTool))
}

/** Finds one program; see `findTools`. Never rejects. */
export function findTool(name: string): Promise<Tool> {
  let tool = known.get(name)
  if (!tool) {
    tool = lookUp(name)
    known.set(name, tool)
  }
  return tool
}

async function lookUp(name: string): Promise<Tool> {
  if (name === 'node')
    return { name, found: true, path: process.execPath, version: process.version, remedy: remedyFor(name) }
  if (name.startsWith(packagePrefix)) {
    const python = await findTool('python3')
    const found = python.found && (await findPackage(python.path, name.slice(packagePrefix.length)))
    if (!found) return missing(name, python.found ? {} : python)
    return { ...missing(name), found: true, path: python.path, version: found.version, parts: found.parts }
  }
  const place = findOnPath(name)
  if (place === undefined) return missing(name)
  // A busy machine may be the reason why there is no answer, so it is asked once more.
  const answer = (await askVersion(name, place)) ?? (await askVersion(name, place))
  if (answer === 'missing') return missing(name)
  if (answer) return { ...missing(name), ...answer, found: true }
  const silent = `${name} (${place}) did not ${name === 'python3' ? 'say where it is installed' : 'answer'}, asked twice`
  const remedy = `${silent}. Start it by hand, or put the folder of the program itself first on PATH.`
  return missing(name, { silent, remedy })
}

const missing = (name: string, { silent, remedy = remedyFor(name) }: Partial<Tool> = {}): Tool => ({
  ...{ name, found: false, path: name, version: '', remedy },
  ...(silent !== undefined && { silent }),
})

const tellPlace = ['-S', '-c', 'import sys; print(sys.version.split()[0]); print(sys.executable)']

/** Asks a program for its version, and Python where it is. Undefined if it did not answer; an error exit is an answer of others. */
async function askVersion(
  name: string,
  place: string,
): Promise<{ path: string; version: string } | 'missing' | undefined> {
  const isPython = name === 'python3'
  const result = await runTool(place, isPython ? tellPlace : ['--version'])
  // 127: a version manager's shim without the program.
  if (['ENOENT', 'EACCES'].includes(result.code ?? '') || result.exitCode === 127) return 'missing'
  const [version = '', executable = ''] = result.stdout.trim().split('\n')
  if (result.timedOut || (isPython && !isAbsolute(executable))) return undefined
  const path = isPython ? findOnPath(executable) : place
  return path === undefined ? undefined : { path, version }
}

/**
 * Returns the version that a program reports, or `unknown`. It runs in an empty temporary folder, which is its HOME too, and
 * without the user's environment. Never rejects.
 */
export async function versionOf(program: string, timeoutMs = 30_000): Promise<string> {
  let home: string
  try {
    home = await mkdtemp(join(tmpdir(), folderPrefix()))
  } catch {
    return 'unknown'
  }
  const env = { PATH: absolutePath(), HOME: home }
  const { stdout } = await runTool(program, ['--version'], { cwd: home, env, timeout: timeoutMs })
  // If it cannot be removed, the next sweep tries again.
  removeTree(home)
  return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? 'unknown'
}
