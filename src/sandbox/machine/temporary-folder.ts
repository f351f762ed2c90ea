import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** With less than this left, what a program writes, its output included, may be cut short; bytes. */
const least = 1024 * 1024

/** What keeps programs from being run here, and the way out. */
export interface Missing {
  missing: string
  remedy: string
}

/** Why no private folder can be made in the temporary folder; undefined where one can. */
export function temporaryFolderFault(): (Missing & { full: boolean }) | undefined {
  const folder = tmpdir()
  try {
    accessSync(`${folder}/.`, constants.W_OK | constants.X_OK)
  } catch (error) {
    const gone = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
    return {
      full: false,
      missing: `the temporary folder ${folder} ${gone ? 'is not there' : 'cannot be written'}`,
      remedy: `${gone ? 'Make it' : 'Give yourself the right to write there'}, or set TMPDIR to another.`,
    }
  }
  if (hasSpace(folder)) return undefined
  return {
    full: true,
    missing: `the disk of ${folder} is full`,
    remedy: 'Make space on it, or set TMPDIR to another.',
  }
}

/** Whether the disk under a folder has room for what a program writes. */
export function hasSpace(folder: string): boolean {
  const { blocks, bavail, bsize } = statfsSync(folder)
  // One without a size has no limit.
  return blocks === 0 || bavail * bsize >= least
}
