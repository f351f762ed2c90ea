import { existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { cacheFolder, writeCacheFile } from '../../base/cache-folder.ts'
import { makeFolders } from '../../base/make-folders.ts'

/** Whether the user allowed a digest before. The answer is a file in the user's own folder, which nobody else may write. */
export function isRemembered(key: string): boolean {
  const file = fileOf(key)
  if (file === undefined) return false
  try {
    return isOwn(file) && lstatSync(file).isFile() && isOwn(dirname(file))
  } catch {
    return false
  }
}

/** Remembers that the user allowed a digest; `lines` say what was allowed, for a person who looks. Does nothing without a folder for it. */
export function remember(key: string, lines: string): void {
  const file = fileOf(key)
  if (file === undefined) return
  try {
    makeFolders(dirname(dirname(file)))
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  } catch {}
  writeCacheFile(file, lines)
}

/** Returns the file of an answer; undefined where the cache is in the project, which may have brought its answers with it. */
function fileOf(key: string): string | undefined {
  const folder = resolve(cacheFolder())
  const isDefault = folder === resolve(cacheFolder({}))
  const [step] = relative(projectOf(realOf(process.cwd())), realOf(folder)).split(sep)
  return isDefault || step === '..' ? join(folder, 'trusted', key) : undefined
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
