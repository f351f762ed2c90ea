import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderPrefix } from '../folders/folder-owner.ts'
import { removeTree } from '../folders/remove-tree.ts'
import { findPackage, type PackagePart, packagePrefix } from '../machine/python-packages.ts'
import { runTool } from '../machine/run-tool.ts'

/** A program that tasks may require. */
export interface Tool {
  name: string
  found: boolean
  /** What to start: for python3 the interpreter itself, not a version manager's shim. */
  path: string
  /** As reported by the program; empty if it is missing or reports none. */
  version: string
  /** How to get it. */
  remedy: string
  /** Files of a package and of its dependencies. */
  parts?: readonly PackagePart[]
}

const remedies: Readonly<Record<string, string>> = {
  node: 'Install Node 20 or newer from https://nodejs.org.',
  python3:
    'Install Python 3.8 or newer (https://www.python.org, `apt install python3`, `brew install python`).',
  pytest: 'Install it with `python3 -m pip install pytest`.',
  git: 'Install git (https://git-scm.com, `apt install git`, `brew install git`).',
  'rsvg-convert': 'Install librsvg (`apt install librsvg2-bin`, `brew install librsvg`).',
}

/** Returns how to install a program, as a sentence. */
export function remedyFor(program: string): string {
  if (program.startsWith(packagePrefix))
    return `Install it with \`python3 -m pip install ${program.slice(packagePrefix.length)}\`.`
  return remedies[program] ?? `Install ${program} and put it on PATH, or choose tasks that do not require it.`
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
  const remedy = remedyFor(name)
  if (name === 'node') {
    return { name, found: true, path: process.execPath, version: process.version, remedy }
  }
  if (name === 'python3') {
    const output = await firstLines(name, [
      '-S',
      '-c',
      'import sys; print(sys.version.split()[0]); print(sys.executable)',
    ])
    const [version = '', path] = output ?? []
    return { name, found: output !== undefined, path: path || name, version, remedy }
  }
  if (name.startsWith(packagePrefix)) {
    const python = await findTool('python3')
    const found = python.found && (await findPackage(python.path, name.slice(packagePrefix.length)))
    return found
      ? { name, found: true, path: python.path, version: found.version, remedy, parts: found.parts }
      : { name, found: false, path: name, version: '', remedy: python.found ? remedy : python.remedy }
  }
  const output = await firstLines(name, ['--version'])
  return { name, found: output !== undefined, path: name, version: output?.[0] ?? '', remedy }
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
  const env = { PATH: process.env.PATH ?? '', HOME: home }
  const { stdout } = await runTool(program, ['--version'], { cwd: home, env, timeout: timeoutMs })
  // If it cannot be removed, the next sweep tries again.
  removeTree(home)
  return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? 'unknown'
}

/** Returns the lines that a program prints; undefined if it cannot be started. An error exit still means that it exists. */
async function firstLines(program: string, args: string[]): Promise<string[] | undefined> {
  const { code = '', exitCode, stdout } = await runTool(program, args)
  // 127: a version manager's shim without the program.
  const isMissing = ['ENOENT', 'EACCES'].includes(code) || exitCode === 127
  return isMissing ? undefined : stdout.trim().split('\n')
}
