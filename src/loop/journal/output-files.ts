import { join } from 'node:path'
import { removeInside, replaceInside } from '../../sandbox/folders/write-inside.ts'
import type { StorageError } from '../../text/errors.ts'
import type { LineFileEvents } from './line-file.ts'
import { storageError } from './storage.ts'

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
  { assertWritable, onStorageError }: Pick<LineFileEvents, 'assertWritable' | 'onStorageError'>,
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
