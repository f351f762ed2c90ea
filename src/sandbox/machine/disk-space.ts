import { lstatSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InfrastructureError } from '../../text/errors.ts'
import { hasSpace } from './temporary-folder.ts'

/** Whoever has written so much has filled the disk itself, and ends as it ended; bytes. */
const ownFault = 16 * 1024 * 1024

/**
 * Throws `InfrastructureError` where the disk under private folders is full, by no fault of the programs that ran in
 * them: somebody else's work would make theirs fail.
 */
export function assertDiskSpace(folders: readonly string[]): void {
  const [first] = folders
  if (first === undefined || hasSpace(first)) return
  if (folders.reduce((sum, folder) => sum + bytesIn(folder), 0) >= ownFault) return
  throw new InfrastructureError(
    `the disk of ${tmpdir()} is full: what ran there cannot be judged. Make space on it, or set TMPDIR to another`,
  )
}

/** On the disk, without following links. What cannot be looked at is counted as nothing. */
function bytesIn(path: string): number {
  try {
    const stat = lstatSync(path)
    const own = stat.blocks * 512
    if (!stat.isDirectory()) return own
    return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), own)
  } catch {
    return 0
  }
}
