import { isAbsolute } from 'node:path/posix'

const longestPath = 1024
const longestName = 255

/**
 * Whether a path is valid in a workspace: relative, parts separated by `/`, no `.` or `..`, no control characters, no part that
 * is too long for file systems, no lone surrogates (two such names may be one on disk), and no `__proto__`, which a plain object
 * cannot hold as a key.
 */
export function isWorkspacePath(path: string): boolean {
  return pathProblem(path) === undefined
}

/** The reason for an invalid path, as recorded in steps. */
export const invalidPathReason = 'leads out of the workspace, or no file may be named so'

/** Returns why a path is not valid in a workspace; undefined if it is valid. */
export function pathProblem(path: string): string | undefined {
  if (path.length > longestPath)
    return `is a path of ${path.length} characters: at most ${longestPath} may be`
  if (/\p{Surrogate}/u.test(path)) return invalidPathReason
  for (const part of path.split('/')) {
    if (part === '' || part === '.' || part === '..' || part === '__proto__' || part.includes('\\'))
      return invalidPathReason
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    if (/[\u0000-\u001f\u007f]/.test(part)) return invalidPathReason
    const bytes = Buffer.byteLength(part)
    if (bytes > longestName) return `has a name of ${bytes} bytes: file systems take ${longestName} at most`
  }
  return undefined
}

/** Returns the first path that is a file where another path needs a folder (`a` beside `a/b`); undefined if there is none. */
export function findPathConflict(paths: Iterable<string>): string | undefined {
  const files = new Set(paths)
  for (const path of files) {
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      const folder = path.slice(0, slash)
      if (files.has(folder)) return folder
    }
  }
  return undefined
}

/** Size limits of the edits of one reply or folder. Larger edits are not work on a task and would fill memory and disk. */
export const sizeLimits = { fileBytes: 8 * 1024 * 1024, files: 10_000, bytes: 64 * 1024 * 1024 }

/** Returns why an agent or a method may not create a file at this path; undefined if it may. */
export function newPathProblem(path: string): string | undefined {
  return pathProblem(path) ?? (isVersionControlPath(path) ? versionControlReason : undefined)
}

/** Returns why no text may be kept beside a workspace at this path; undefined if one may. */
export const outputPathProblem = (path: string): string | undefined =>
  newPathProblem(path) ?? (/(?:^|\/)head$/i.test(path) ? 'could make its folder a git repository' : undefined)

/**
 * Normalizes a path inside the workspace: with `/` and without `.`. Returns the problem of a path that is absolute, leaves the
 * workspace, is not a valid file name, or belongs to a version control tool.
 */
export function normalizePath(path: string): { path: string } | { problem: string } {
  const cleaned = path.trim().replaceAll('\\', '/')
  if (cleaned === '' || isAbsolute(cleaned) || /^[a-z]:/i.test(cleaned) || cleaned.includes('\0'))
    return { problem: invalidPathReason }
  const parts = cleaned.split('/').filter((part) => part !== '' && part !== '.')
  const normal = parts.join('/')
  const problem = newPathProblem(normal)
  return problem === undefined ? { path: normal } : { problem }
}

/** Folders of version control tools. Their files can name programs that the tool then starts. */
const folders = /^(?:\.(?:git|hg|svn|bzr|jj|sl)|_darcs)$/

/** Short names that FAT and NTFS give them. */
const shortNames = /^(?:git|hg|svn|bzr)~\d+$/

/**
 * Whether a part of a path names a version control tool's folder on some file system: in any case, with trailing dots, spaces or
 * a stream (Windows), or with invisible characters (macOS).
 */
export function isVersionControlPath(path: string): boolean {
  return path.split('/').some((part) => {
    const name = part
      .normalize('NFKC')
      .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
      .toLowerCase()
      .replace(/:.*$/s, '')
      .replace(/[. ]+$/, '')
    return folders.test(name) || shortNames.test(name)
  })
}

/** The reason for refusing such a path, as recorded in steps. */
const versionControlReason = 'belongs to a version control tool, which could start programs that it names'
