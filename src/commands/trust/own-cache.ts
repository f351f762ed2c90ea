import { existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { cacheFolder, writeCacheFile } from '../../base/cache-folder.ts'
import { makeFolders } from '../../base/make-folders.ts'

/**
 * Returns the path of a file that says what the user did or allowed, in a folder of the cache that nobody else may write. Undefined
 * where the cache is in the project, which may have brought its files with it.
 */
export function ownCacheFile(name: string): string | undefined {
  const folder = resolve(cacheFolder())
  const isDefault = folder === resolve(cacheFolder({}))
  const [step] = relative(projectOf(realOf(process.cwd())), realOf(folder)).split(sep)
  return isDefault || step === '..' ? join(folder, 'trusted', name) : undefined
}

/** Whether such a file exists and is the user's: no link, and nobody else may write it or its folder. */
export function isOwnFile(file: string): boolean {
  try {
    return isOwn(file) && lstatSync(file).isFile() && isOwn(dirname(file))
  } catch {
    return false
  }
}

/** Writes such a file. Failures are ignored. */
export function writeOwnFile(file: string, content: string): void {
  try {
    makeFolders(dirname(dirname(file)))
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  } catch {}
  writeCacheFile(file, content)
}

/** Returns the outermost repository that holds a folder, else the folder. */
function projectOf(folder: string): string {
  let project = folder
  for (let at = folder; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, '.git'))) project = at
  return project
}

function isOwn(path: string): boolean {
  const { uid, mode } = lstatSync(path)
  return uid === process.getuid?.() && (mode & 0o022) === 0
}

/** Returns a path with the links of what exists of it followed. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return dirname(path) === path ? path : join(realOf(dirname(path)), relative(dirname(path), path))
  }
}
