const faults: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is a file, or below one',
  EEXIST: 'it is there already',
  EACCES: 'you may not',
  EPERM: 'you may not',
  EROFS: 'its disk is read-only',
}

/** Says in plain words why a file or folder could not be read or written, with the code of the system. */
export function fileFault(error: unknown): string {
  const { code, message = String(error) } = error as NodeJS.ErrnoException
  const words = code && faults[code]
  return words ? `${words} (${code})` : message
}
