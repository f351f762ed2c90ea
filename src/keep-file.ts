import { dirname } from 'node:path'
import { makeFolders } from './make-folders.ts'
import { writeAtomic } from './write-atomic.ts'

/** Keeps what can be computed again, for this user alone. Not being able to is no error. */
export function keepFile(path: string, content: string): void {
  try {
    makeFolders(dirname(path))
    // Answers and solutions may stand in it.
    writeAtomic(path, content, { mode: 0o600 })
  } catch {}
}
