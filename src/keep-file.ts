import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders } from './make-folders.ts'

/** Keeps what can be computed again, whole or not at all, for this user alone. Not being able to is no error. */
export function keepFile(path: string, content: string): void {
  const draft = `${path}.${randomUUID()}`
  try {
    makeFolders(dirname(path))
    // Answers and solutions may stand in it.
    writeFileSync(draft, content, { mode: 0o600 })
    renameSync(draft, path)
  } catch {
    try {
      rmSync(draft, { force: true })
    } catch {}
  }
}
