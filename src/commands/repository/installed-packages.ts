import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, posix, sep } from 'node:path'
import { counted } from '../../reports/words/numbers.ts'
import { sizeLimits } from '../../sandbox/folders/paths.ts'
import { readPlainText } from '../../sandbox/folders/read-inside.ts'
import type { Files } from '../../schema/task.ts'
import { findKeyText } from '../../text/key-text.ts'
import { shorten } from '../../text/shorten.ts'

/** Packages that tests import, as they are installed beside the repository. */
interface InstalledPackages {
  /** Their JavaScript and JSON, by path: `node_modules/NAME/…`. */
  files: Record<string, string>
  names: string[]
  /** Packages that cannot be taken, or are not installed, with reasons. */
  leftOut: string[]
}

/** Packages whose part bench plays, and packages without code. */
const ours =
  /^(?:vitest|jest|ts-jest|babel-jest|tsx|ts-node|bnt|typescript)$|^@(?:jest|vitest|types|swc-node)\//

/**
 * Returns the packages that files import, with all that these depend on, from `node_modules` of a folder. Only what Node runs is taken:
 * JavaScript and JSON. A package with a native part is left out. `named`: packages to take besides.
 */
export function installedPackages(
  folder: string,
  entries: readonly string[],
  files: Files,
  named: readonly string[] = [],
): InstalledPackages {
  const found: InstalledPackages = { files: {}, names: [], leftOut: [] }
  const top = join(folder, 'node_modules')
  const own = nameOfPackage(files['package.json'])
  const wanted = importedPackages(entries, files).filter((name) => name !== own && !ours.test(name))
  const taken = new Map<string, string>()
  let bytes = 0

  const take = (name: string, from: string, place: string, isNeeded: boolean): void => {
    const source = locate(name, from, top)
    if (source === undefined) {
      if (isNeeded) found.leftOut.push(`${name} (is not in node_modules)`)
      return
    }
    const spot = spotOf(name, source, place)
    if (spot === undefined) return
    taken.set(spot, source)
    const text = readPackage(source, spot)
    if ('reason' in text) return void found.leftOut.push(`${name} (${text.reason})`)
    bytes += text.bytes
    if (bytes > sizeLimits.bytes / 2 || Object.keys(found.files).length > sizeLimits.files / 2)
      return void found.leftOut.push(`${name} (the packages are too large)`)
    Object.assign(found.files, text.files)
    found.names.push(name)
    for (const [needed, isOptional] of dependenciesOf(source)) take(needed, source, spot, !isOptional)
  }

  /** Returns where a package goes: to the top, or below the one that needs it if another version is there; undefined: it is there. */
  const spotOf = (name: string, source: string, place: string): string | undefined => {
    for (const spot of [`node_modules/${name}`, `${place}/node_modules/${name}`.replace(/^\//, '')]) {
      if (taken.get(spot) === source) return undefined
      if (!taken.has(spot)) return spot
    }
    return undefined
  }

  for (const name of new Set([...named, ...wanted])) take(name, folder, '', true)
  return found
}

function nameOfPackage(text = '{}'): string | undefined {
  try {
    return (JSON.parse(text) as { name?: string }).name
  } catch {
    return undefined
  }
}

/** Finds a package as Node does, from a folder upwards to the repository. Links lead to stores such as pnpm's, in the same folder. */
function locate(name: string, from: string, top: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const path = join(at, 'node_modules', name)
    if (existsSync(join(path, 'package.json'))) {
      const real = realpathSync(path)
      return real.startsWith(realpathSync(top) + sep) ? real : undefined
    }
    if (join(at, 'node_modules') === top || at === dirname(at)) return undefined
  }
}

function dependenciesOf(folder: string): [name: string, isOptional: boolean][] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifestOf(folder)
  return [
    ...Object.keys(dependencies).map((name): [string, boolean] => [name, name in optionalDependencies]),
    ...Object.keys({ ...optionalDependencies, ...peerDependencies }).map((name): [string, boolean] => [
      name,
      true,
    ]),
  ].filter(([name]) => !ours.test(name))
}

type Manifest = Partial<Record<'dependencies' | 'optionalDependencies' | 'peerDependencies', object>> & {
  os?: unknown
  cpu?: unknown
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

function readPackage(
  folder: string,
  spot: string,
): { files: Record<string, string>; bytes: number } | { reason: string } {
  const files: Record<string, string> = {}
  let bytes = 0
  const { os, cpu } = manifestOf(folder)
  if ((os && cpu) || existsSync(join(folder, 'binding.gyp'))) return { reason: 'has a native part' }
  const walk = (path: string): boolean => {
    for (const name of readdirSync(join(folder, path)).sort()) {
      const inner = path === '' ? name : `${path}/${name}`
      const found = lstatSync(join(folder, inner))
      if (found.isDirectory()) {
        if (name !== 'node_modules' && !walk(inner)) return false
      } else if (/\.node$/.test(name)) return false
      else if (found.isFile() && /(?:\.[cm]?js|\.json)$|^(?:licen[cs]e|copying)\b/i.test(name)) {
        const text = readPlainText(join(folder, inner), sizeLimits.fileBytes)
        if (text.reason !== undefined || text.content.includes('\0')) continue
        if (findKeyText(text.content, inner) !== undefined) continue
        files[`${spot}/${inner}`] = text.content
        bytes += text.size
      }
    }
    return true
  }
  return walk('') ? { files, bytes } : { reason: 'has a native part' }
}

/** Returns the names of the packages that modules import, and those that these import by relative paths. */
function importedPackages(entries: readonly string[], files: Files): string[] {
  const names = new Set<string>()
  const seen = new Set<string>()
  const visit = (path: string): void => {
    const text = files[path]
    if (text === undefined || seen.has(path)) return
    seen.add(path)
    for (const specifier of specifiersOf(text)) {
      if (/^\.\.?(?:\/|$)/.test(specifier)) for (const one of besides(path, specifier)) visit(one)
      else if (
        /^(?:@[\w.-]+\/)?[\w.-]+(?:\/|$)/.test(specifier) &&
        !builtinModules.includes(specifier.split('/')[0] as string)
      )
        names.add(
          specifier
            .split('/')
            .slice(0, specifier.startsWith('@') ? 2 : 1)
            .join('/'),
        )
    }
  }
  for (const path of entries) visit(path)
  return [...names].sort()
}

/** Returns what a module imports, from its text. Imports of types alone are left out. */
function specifiersOf(text: string): string[] {
  const pattern =
    /(?:^|[;\s}])(?:import|export)\s+(?!type\s+[\w{*])(?:[\w$*{}\s,]*?\s*from\s*)?(['"])([^'"\n]+)\1|\b(?:require|import)\s*\(\s*(['"])([^'"\n]+)\3/g
  return [...text.matchAll(pattern)].map((match) => (match[2] ?? match[4]) as string)
}

const endings = ['', '.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.tsx', '.jsx', '/index.ts', '/index.js']

function besides(path: string, specifier: string): string[] {
  const joined = posix.join(posix.dirname(path), specifier)
  return [joined, joined.replace(/\.[cm]?jsx?$/, '')].flatMap((stem) =>
    endings.map((ending) => stem + ending),
  )
}

/** Returns which packages were taken, as notes. */
export const packageNotes = ({ names, leftOut }: InstalledPackages): string[] => [
  ...(names.length > 0
    ? [
        `takes ${counted(names.length, 'package')} of node_modules that tests need: ${shorten(names.join(', '), 200)}`,
      ]
    : []),
  ...(leftOut.length > 0 ? [`packages that are left out: ${shorten(leftOut.join(', '), 300)}`] : []),
]
