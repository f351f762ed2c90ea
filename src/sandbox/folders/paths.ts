const longestPath = 1024
const longestName = 255

/**
 * Whether a path may stand in a workspace: relative, `/` between its parts, no `.` or `..`, no control characters,
 * no part that file systems refuse for its length; text that UTF-8 can hold, since two others may be one name on disk;
 * and not `__proto__`, which no plain object holds.
 */
export function isWorkspacePath(path: string): boolean {
  return pathProblem(path) === undefined
}

/** Why no file may be named so. */
export const invalidPathReason = 'leads out of the workspace, or no file may be named so'

/** Why a path may not stand in a workspace; undefined: it may. */
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

/** The first path that is a file where another path needs a folder (`a` beside `a/b`); undefined where all fit together. */
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
