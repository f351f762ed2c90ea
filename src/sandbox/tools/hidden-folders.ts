import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { isInside, realPath, realSystemFolders } from './toolchain.ts'

/** A folder of packages that are installed on this machine. */
export interface InstalledFolder {
  path: string
  kind: 'python' | 'node' | 'other'
}

const nodePackages = ['npm', 'corepack']

const known = new Map<string, readonly InstalledFolder[]>()

/**
 * Returns bubblewrap options that hide installed packages in visible folders: packages of Python and Node, sources and
 * documentation. Node's own packages stay visible, and so does the Node package that contains `program`.
 */
export function hideInstalledPackages(
  shown: readonly string[],
  program: string,
  isHidden: (folder: InstalledFolder) => boolean,
  sourceOf: (path: string) => string,
): string[] {
  const real = realPath(program)
  return shown
    .flatMap(findInstalledPackages)
    .filter(isHidden)
    .flatMap(({ path, kind }) => {
      const names = kind === 'node' ? [...nodePackages, ...packageAt(real, path)] : []
      const kept = [...new Set(names)].map((name) => join(path, name)).filter((one) => existsSync(one))
      const shownAgain = kept.flatMap((one) => ['--ro-bind', sourceOf(one), one])
      return ['--tmpfs', path, ...shownAgain, '--remount-ro', path]
    })
}

/** Returns the name of the package in a `node_modules` that contains a program, as a list of at most one. */
function packageAt(program: string, modules: string): string[] {
  if (!isInside(program, modules)) return []
  const [first = '', second = ''] = program.slice(modules.length + 1).split(sep)
  return [first.startsWith('@') ? join(first, second) : first]
}

/** Finds the folders of installed packages below a visible folder; the result is cached. */
export function findInstalledPackages(shown: string): readonly InstalledFolder[] {
  const cached = known.get(shown)
  if (cached) return cached
  const real = realPath(shown)
  const found = new Map<string, InstalledFolder>()
  const add = (path: string, kind: InstalledFolder['kind']) => {
    const place = realPath(path)
    if (isInside(place, real) && place !== real && !found.has(place) && entriesOf(place).length > 0)
      found.set(place, { path: shown + place.slice(real.length), kind })
  }
  for (const name of ['share/doc', 'src', 'local/src']) add(join(real, name), 'other')
  // A conda environment contains other environments and their unpacked packages.
  if (existsSync(join(real, 'conda-meta')))
    for (const name of ['envs', 'pkgs']) add(join(real, name), 'python')
  for (const prefix of prefixesIn(real))
    for (const lib of ['lib', 'lib64'])
      for (const name of entriesOf(join(prefix, lib))) {
        const path = join(prefix, lib, name)
        if (name === 'node_modules') add(path, 'node')
        if (/^(python|pypy)[\d.t]*$/.test(name))
          for (const kind of ['site-packages', 'dist-packages']) add(join(path, kind), 'python')
      }
  const folders = outermostFolders([...found.values()])
  known.set(shown, folders)
  return folders
}

function prefixesIn(folder: string): string[] {
  const places = [folder, join(folder, 'local')]
  const own = places.flatMap((place) =>
    ['lib', 'libexec', 'share', ''].flatMap((inner) => foldersIn(join(place, inner))),
  )
  const environments = own.map((place) => join(place, 'venv'))
  return [...places, ...[...own, ...environments].filter((place) => existsSync(join(place, 'lib')))]
}

/** Drops folders inside another: they are hidden with it, and their mount point would not exist. */
function outermostFolders(folders: readonly InstalledFolder[]): InstalledFolder[] {
  return folders.filter(
    ({ path }) => !folders.some((other) => other.path !== path && isInside(path, other.path)),
  )
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
  } catch {
    return []
  }
}

function entriesOf(folder: string): string[] {
  try {
    return lstatSync(folder).isSymbolicLink() ? [] : readdirSync(folder)
  } catch {
    return []
  }
}

/** Folders of bench's own package that contain solutions. */
const solutionFolders = ['tasks', 'results']

/**
 * Returns bubblewrap options that hide the solutions in bench's own package, if the package is installed in a visible folder:
 * among the system's programs, or beside an agent's.
 */
export function hideSolutions(shown: readonly string[]): string[] {
  return [...realSystemFolders(), ...shown]
    .flatMap(findSolutionFolders)
    .flatMap((path) => ['--tmpfs', path, '--remount-ro', path])
}

function findSolutionFolders(place: string): string[] {
  const real = realPath(place)
  return solutionFolders
    .map((name) => join(packageRoot(), name))
    .filter((path) => isInside(path, real) && existsSync(path))
    .map((path) => place + path.slice(real.length))
}

/** What tells of the machine, its other users and other trials; only what exists here. */
const toldByProc = ['cmdline', 'keys', 'key-users', 'locks', 'diskstats', 'sys/kernel/random/boot_id']

/**
 * Returns bubblewrap options that hide those files, and bubblewrap's first process: its command line and its memory are the harness's.
 */
export function hideProcessFiles(): string[] {
  const files = toldByProc.map((name) => `/proc/${name}`).filter((path) => existsSync(path))
  return [
    ...files.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...['--tmpfs', '/proc/1', '--remount-ro', '/proc/1'],
  ]
}
