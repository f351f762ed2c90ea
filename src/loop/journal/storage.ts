import { StorageError } from '../../text/errors.ts'

const remedies: Record<string, string> = {
  ENOSPC: 'Free space on that disk',
  EDQUOT: 'Free space within your quota of that disk',
  EFBIG: 'Allow larger files (ulimit -f)',
  EMFILE: 'Raise the limit of open files (ulimit -n), or use a smaller --parallel',
  EIO: 'Check the disk (dmesg)',
  ENOENT: 'Restore the folder',
  EROFS: 'Make the disk writable again',
  EACCES: 'Restore your permission to write there',
  EPERM: 'Restore your permission to write there',
}

const meanings: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is used up',
  EFBIG: 'the file has reached the allowed size',
  EMFILE: 'bench has too many files open',
  EIO: 'the disk cannot be read or written',
  ENOENT: 'it was removed during the run',
  EROFS: 'the disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
}

/** Returns whether an error comes from the disk itself, not from the user's input. */
export function isDiskFault(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EIO'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/**
 * Returns the `StorageError` for a failed write to a run folder, with cause and remedy. A `StorageError` is returned unchanged.
 * `then` is what to do when the cause is gone.
 */
export function storageError(
  path: string,
  error: unknown,
  then = 'continue with bench run --resume; finished work is kept',
): StorageError {
  if (error instanceof StorageError) return error
  const { code = 'unknown', message } = error as NodeJS.ErrnoException
  return new StorageError(
    {
      where: path,
      what: `cannot be written: ${meanings[code] ?? message} (${code})`,
      fix: `${remedies[code] ?? 'Check the disk'}, then ${then}.`,
    },
    { cause: error },
  )
}

/** Runs an effect on a file of a run folder. Throws `StorageError` if the file system fails. */
export function withStorageErrors<Result>(path: string, effect: () => Result): Result {
  try {
    return effect()
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === undefined ? error : storageError(path, error)
  }
}
