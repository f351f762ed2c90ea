import { lstatSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InfrastructureError } from '../../text/errors.ts'
import { hasSpace } from './temporary-folder.ts'

/** Programs that wrote this much are taken to have filled the disk themselves; bytes. */
const ownFaultBytes = 16 * 1024 * 1024

/**
 * Throws `InfrastructureError` if the disk of private folders is full and the programs in them did not fill it: their results
 * cannot be judged.
 */
export function assertDiskSpace(folders: readonly string[]): void {
  const [first] = folders
  if (first === undefined || hasSpace(first)) return
  if (folders.reduce((sum, folder) => sum + bytesIn(folder), 0) >= ownFaultBytes) return
  throw new InfrastructureError(
    `the disk of ${tmpdir()} is full, so results of programs there are unreliable. Free some space, or set TMPDIR to a folder on another disk`,
  )
}

/** Returns the size on disk, without following links. Unreadable entries count as 0. */
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
