import { accessSync, constants, lstatSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, resolve, sep } from 'node:path'
import { findOnPath } from './on-path.ts'
import { findTool } from './tools.ts'

/** Folders of the system that every sandbox shows read-only. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/nix/store']

/** The programs that tasks are most often about, wherever a version manager put them. */
export interface Toolchain {
  /** What to start for a bare name, where that is not what PATH gives: a version manager's shim needs the home that a sandbox hides. */
  programs: ReadonlyMap<string, string>
  /** Folders beside the system's that have to be seen for them. */
  folders: readonly string[]
  /** Folders of their programs, for PATH. */
  path: readonly string[]
}

/** Finds Node and, if it is here, Python. */
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
  }
}

const systemPath = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

/**
 * The folders beside the system's that a program needs: those where it is installed, as named and as links lead to it.
 * Never a home, nor what holds one: then the program's own folder alone.
 */
export function installFoldersOf(program: string): string[] {
  const places = new Set([program, realPath(program)])
  return [...places].filter((place) => !isSystemPath(place)).map(installFolder)
}

function installFolder(program: string): string {
  // A program of npm's stands among the packages that it needs.
  const packages = program.indexOf(`${sep}node_modules${sep}`)
  if (packages >= 0) return program.slice(0, packages + `${sep}node_modules`.length)
  const folder = dirname(program)
  const prefix = basename(folder) === 'bin' ? dirname(folder) : folder
  const homes = [homedir(), realPath(homedir()), '/home', '/root', '/Users', '/tmp']
  const tooMuch = homes.some((home) => isInside(home, prefix)) || dirname(prefix) === '/home'
  return tooMuch || prefix === sep ? folder : prefix
}

/** Whether every sandbox shows it. */
export function isSystemPath(path: string): boolean {
  return systemFolders.some((folder) => isInside(path, folder))
}

/** Whether a path is a folder or stands somewhere in it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Where links lead; the path itself where nothing is there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** Those of the system's folders that are here: a folder as such, or what its link says. */
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

/** Those of the system's folders that are no links to others. */
export function realSystemFolders(): readonly string[] {
  return existingSystemFolders().filter((folder) => !lstatSync(folder).isSymbolicLink())
}

/** The outermost folder on the way to a path that other users may not pass; undefined where they reach it. */
export function findClosedFolder(path: string): string | undefined {
  const parts = path.split(sep)
  for (let length = 2; length <= parts.length; length++) {
    const folder = parts.slice(0, length).join(sep)
    if ((statSync(folder).mode & 0o001) === 0) return folder
  }
  return undefined
}
