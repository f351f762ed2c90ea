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
