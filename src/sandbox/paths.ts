/**
 * Whether a path may stand in a workspace: relative, `/` between its parts, no `.` or `..`, no control characters,
 * no part that file systems refuse for its length; text that UTF-8 can hold, since two others may be one name on disk;
 * and not `__proto__`, which no plain object holds.
 */
export function isWorkspacePath(path: string): boolean {
  if (path.length > 1024 || /\p{Surrogate}/u.test(path)) return false
  return path.split('/').every((part) => {
    if (part === '' || part === '.' || part === '..' || part === '__proto__' || part.includes('\\'))
      return false
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    return !/[\u0000-\u001f\u007f]/.test(part) && Buffer.byteLength(part) <= 255
  })
}

/** The first path that is a file where another path needs a folder (`a` beside `a/b`); undefined where all fit together. */
export function clashingPath(paths: Iterable<string>): string | undefined {
  const files = new Set(paths)
  for (const path of files) {
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      const folder = path.slice(0, slash)
      if (files.has(folder)) return folder
    }
  }
  return undefined
}
