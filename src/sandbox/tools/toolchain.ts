import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, parse, resolve, sep } from 'node:path'
import { InfrastructureError } from '../../text/errors.ts'
import { findOnPath } from './on-path.ts'
import { findTool } from './tools.ts'

/** System folders that are visible in every sandbox, read-only. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/nix/store']

/** Node and Python, wherever a version manager installed them. */
export interface Toolchain {
  /** Path by bare name. It replaces a version manager's shim on PATH, which needs the home folder that a sandbox hides. */
  programs: ReadonlyMap<string, string>
  /** Folders that must be visible for them, besides the system's. */
  folders: readonly string[]
  /** Folders for PATH. */
  path: readonly string[]
  /** Why a program that is on PATH is not among them, by bare name: it did not answer. */
  silent: ReadonlyMap<string, string>
}

/** Finds Node and, if installed, Python. */
export async function findToolchain(): Promise<Toolchain> {
  const shim = findOnPath('python3')
  const python = shim !== undefined && !isSystemPath(shim) ? await findTool('python3') : undefined
  const programs = new Map([['node', process.execPath]])
  if (python?.found) programs.set('python3', python.path)
  const paths = [...programs.values()]
  return {
    programs,
    folders: [...new Set(paths.flatMap(installFoldersOf))],
    path: [...new Set([...paths.map((path) => dirname(path)), ...systemPath])],
    silent: new Map(python?.silent === undefined ? [] : [['python3', python.silent]]),
  }
}

const systemPath = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

/**
 * Returns the folders that a program needs besides the system's: where it is installed, by its name and by its real path.
 * Never a home folder or a parent of one; in that case only the program's own folder.
 */
export function installFoldersOf(program: string): string[] {
  const places = new Set([program, realPath(program)])
  return [...places].filter((place) => !isSystemPath(place)).map(installFolder)
}

function installFolder(program: string): string {
  // A program installed by npm is among its dependencies.
  const packages = program.indexOf(`${sep}node_modules${sep}`)
  if (packages >= 0) return program.slice(0, packages + `${sep}node_modules`.length)
  const folder = dirname(program)
  const prefix = basename(folder) === 'bin' ? dirname(folder) : folder
  const homes = [homedir(), realPath(homedir()), '/home', '/root', '/Users', '/tmp']
  const tooMuch = homes.some((home) => isInside(home, prefix)) || dirname(prefix) === '/home'
  return tooMuch || prefix === sep ? folder : prefix
}

/** Returns a path that a sandbox may show. Throws `InfrastructureError` if it is relative or the root of the machine. */
export function requireShowable(path: string): string {
  if (isAbsolute(path) && resolve(path) !== parse(path).root) return path
  throw new InfrastructureError(
    `a sandbox cannot show the path ${JSON.stringify(path)}: only absolute paths below / are shown`,
  )
}

/** Whether a path is visible in every sandbox. */
export function isSystemPath(path: string): boolean {
  return systemFolders.some((folder) => isInside(path, folder))
}

/** Whether a path is a folder or inside of it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Resolves links in a path; returns the absolute path if nothing exists there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** Returns the system folders that exist, including links to folders. */
export function existingSystemFolders(): string[] {
  return systemFolders.filter((folder) => {
    try {
      accessSync(folder, constants.R_OK)
      return statSync(folder).isDirectory()
    } catch {
      return false
    }
  })
}

/** Returns the system folders that exist and are not links. */
export function realSystemFolders(): readonly string[] {
  return existingSystemFolders().filter((folder) => !lstatSync(folder).isSymbolicLink())
}

/** Returns the outermost folder of a path that other users may not enter; undefined if they can reach the path. */
export function findClosedFolder(path: string): string | undefined {
  const parts = path.split(sep)
  for (let length = 2; length <= parts.length; length++) {
    const folder = parts.slice(0, length).join(sep)
    if ((statSync(folder).mode & 0o001) === 0) return folder
  }
  return undefined
}

/** Whether a program is an interpreter, which can load packages installed on the machine. */
export function isInterpreter(program: string): boolean {
  return /^(python|pypy|node)[\d.t]*$/.test(basename(program))
}

/** Whether a program is a Python script. */
export function isPythonScript(program: string): boolean {
  try {
    const bytes = Buffer.alloc(256)
    const file = openSync(program, 'r')
    try {
      readSync(file, bytes, 0, bytes.length, 0)
    } finally {
      closeSync(file)
    }
    return /^#!.*python/.test(bytes.toString('latin1'))
  } catch {
    return false // it does not exist, or is in the workspace
  }
}
