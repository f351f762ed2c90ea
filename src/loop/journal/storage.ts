import { StorageError } from '../../text/errors.ts'

const remedies: Record<string, string> = {
  ENOSPC: 'Make space on that disk',
  EDQUOT: 'Make space within your quota of that disk',
  EFBIG: 'Allow larger files (ulimit -f)',
  EMFILE: 'Raise the limit of open files (ulimit -n) or use a smaller --parallel',
  EIO: 'Look after the disk (dmesg)',
  ENOENT: 'Put the folder back where it was',
  EROFS: 'Make the disk writable again',
  EACCES: 'Give yourself the right to write there again',
  EPERM: 'Give yourself the right to write there again',
}

const meanings: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'your quota of the disk is used up',
  EFBIG: 'it may not grow any more',
  EMFILE: 'bench has as many files open as it may',
  EIO: 'the disk cannot be read or written',
  ENOENT: 'it was removed during the run',
  EROFS: 'the disk can only be read',
  EACCES: 'it may not be written to',
  EPERM: 'it may not be written to',
}

/** Whether the disk itself is at fault, not what the user gave. */
export function isDiskFault(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EIO'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/**
 * What a failed write to a run folder means, and what to do about it. An error that says so already stays. `then` is
 * what to run when the cause is gone.
 */
export function storageError(
  path: string,
  error: unknown,
  then = 'go on with bench run --resume; what is written stays',
): StorageError {
  if (error instanceof StorageError) return error
  const { code = 'unknown', message } = error as NodeJS.ErrnoException
  return new StorageError(
    {
      where: path,
      what: `cannot be written: ${meanings[code] ?? message} (${code})`,
      fix: `${remedies[code] ?? 'Look after the disk'}, then ${then}.`,
    },
    { cause: error },
  )
}

/** Does something to a file of a run folder; throws `StorageError` when the file system fails. */
export function withStorageErrors<Result>(path: string, effect: () => Result): Result {
  try {
    return effect()
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === undefined ? error : storageError(path, error)
  }
}
