import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it, unless it is there; `made` is told of each. One level at a time: where no folder can be
 * made, as below /proc, mkdir of Node 20 with `recursive` never returns.
 */
export function makeFolders(folder: string, made: string[] = []): void {
  if (existsSync(folder)) return
  const above = dirname(folder)
  // Of a working folder that was removed there is nothing above.
  if (above !== folder) makeFolders(above, made)
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(folder)) return
    throw error
  }
  made.push(folder)
}
