import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** With less free space, a program's files and output may be cut short; bytes. */
const minFreeBytes = 1024 * 1024

/** Why programs cannot run here, and the remedy. */
export interface Missing {
  missing: string
  remedy: string
  /** It is installed, and did not work. */
  broken?: true
}

/** Returns why no private folder can be created in the temporary folder; undefined if one can. */
export function temporaryFolderFault(): (Missing & { full: boolean }) | undefined {
  const folder = tmpdir()
  try {
    accessSync(`${folder}/.`, constants.W_OK | constants.X_OK)
  } catch (error) {
    const gone = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
    return {
      full: false,
      missing: `the temporary folder ${folder} ${gone ? 'does not exist' : 'is not writable'}`,
      remedy: `${gone ? 'Create it' : 'Give yourself write permission'}, or set TMPDIR to another folder.`,
    }
  }
  if (hasSpace(folder)) return undefined
  return {
    full: true,
    missing: `the disk of ${folder} is full`,
    remedy: 'Free some space, or set TMPDIR to another folder.',
  }
}

/** Whether the disk of a folder has space for what a program writes. */
export function hasSpace(folder: string): boolean {
  const { blocks, bavail, bsize } = statfsSync(folder)
  // A file system without a size has no limit.
  return blocks === 0 || bavail * bsize >= minFreeBytes
}
