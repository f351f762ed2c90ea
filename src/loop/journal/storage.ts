import { join } from 'node:path'
import { removeInside, replaceInside } from '../../sandbox/folders/write-inside.ts'
import { StorageError } from '../../text/errors.ts'

/** What the codes of the file system mean, and what to do. */
const faults: Record<string, readonly [meaning: string, remedy: string]> = {
  ENOSPC: ['the disk is full', 'Free space on that disk'],
  EDQUOT: ['your disk quota is used up', 'Free space within your quota of that disk'],
  EFBIG: ['the file has reached the allowed size', 'Allow larger files (ulimit -f)'],
  EMFILE: [
    'bench has too many files open',
    'Raise the limit of open files (ulimit -n), or use a smaller --parallel',
  ],
  EIO: ['the disk cannot be read or written', 'Check the disk (dmesg)'],
  ENOENT: ['it was removed during the run', 'Restore the folder'],
  ESTALE: ['another machine has removed or replaced it', 'Check the network file system'],
  EROFS: ['the disk is read-only', 'Make the disk writable again'],
  EACCES: ['permission denied', 'Restore your permission to write there'],
  EPERM: ['permission denied', 'Restore your permission to write there'],
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
  const [meaning, remedy] = faults[code] ?? [message, 'Check the disk']
  return new StorageError(
    {
      where: path,
      what: `cannot be written: ${meaning} (${code})`,
      fix: `${remedy}, then ${then}.`,
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

/** A sync that concurrent callers share. It covers all callers that asked before it began. */
interface SharedSync {
  /**
   * Resolves after a sync that began after the call. That sync begins when the running one has ended and `maxWaitMs` of any
   * waiting caller is over.
   */
  sync(maxWaitMs: number): Promise<void>
  /** Returns whether a caller waits for a sync that has not begun. */
  hasWaiters(): boolean
  /** Lets the next sync begin without further waiting. */
  startNow(): void
}

/** Creates a shared sync. `syncNow` runs once per sync, never twice at the same time. */
export function shareSyncs(syncNow: () => Promise<void>): SharedSync {
  let running: Promise<void> = Promise.resolve()
  let queued: { done: Promise<void>; delay: ReturnType<typeof createDelay> } | undefined
  const queue = () => {
    const delay = createDelay()
    const done = delay.over
      .then(() => running.catch(() => {}))
      .then(() => {
        queued = undefined
        running = syncNow()
        return running
      })
    return { done, delay }
  }
  return {
    sync(maxWaitMs) {
      // The running sync may have begun before this caller's line was written, so the caller waits for the next one.
      queued ??= queue()
      queued.delay.endWithin(maxWaitMs)
      return queued.done
    },
    hasWaiters: () => queued !== undefined,
    startNow: () => queued?.delay.endWithin(0),
  }
}

/** Creates a delay that each caller can shorten. */
function createDelay() {
  let end = () => {}
  let endsAt = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  return {
    over,
    endWithin(ms: number) {
      const at = performance.now() + ms
      if (at >= endsAt) return
      endsAt = at
      clearTimeout(timer)
      if (ms > 0) timer = setTimeout(end, ms)
      else end()
    },
  }
}

/** Callbacks of files that are written. */
export interface StorageEvents {
  /** Runs before each write. If it throws, nothing is written. */
  assertWritable?: (() => void) | undefined
  /** Runs once, when the file system has failed. From then on every call throws that error. */
  onStorageError?: ((error: StorageError) => void) | undefined
}

/** The files that methods keep beside their workspaces, in `artifacts/TRIAL/outputs/`. */
export interface OutputFiles {
  /** Writes a file whole. Throws `StorageError`, then and for all later calls, if the file system fails. */
  write(trial: string, path: string, text: string, options: { durable: boolean }): void
  /** Removes all outputs of a trial. */
  clear(trial: string): void
}

/** Opens the outputs of a run folder. A person or a program may have put links there: none is followed. */
export function openOutputFiles(
  folder: string,
  { assertWritable, onStorageError }: StorageEvents,
): OutputFiles {
  const artifacts = join(folder, 'artifacts')
  let broken: StorageError | undefined
  const failing = (path: string, effect: () => void) => {
    if (broken) throw broken
    try {
      assertWritable?.()
      effect()
    } catch (error) {
      broken = storageError(join(artifacts, path), error)
      onStorageError?.(broken)
      throw broken
    }
  }
  return {
    write(trial, path, text, { durable }) {
      const inside = `${trial}/outputs/${path}`
      // The draft of a killed process is overwritten by the next.
      const draft = `${trial}/outputs.draft`
      failing(inside, () => replaceInside(artifacts, inside, text, { draft, durable }))
    },
    clear(trial) {
      const inside = `${trial}/outputs`
      failing(inside, () => removeInside(artifacts, inside))
    },
  }
}
