import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its parents unless they exist, and adds each created folder to `made`. One level at a time: Node 20's
 * recursive mkdir never returns where no folder can be created, as below /proc.
 */
export function makeFolders(folder: string, made: string[] = []): void {
  for (let tries = 1; ; tries++) {
    try {
      makeLevels(folder, made)
      return
    } catch (error) {
      // Another process may make and remove the same folders, to try whether it can.
      const { code = '' } = error as NodeJS.ErrnoException
      if (!['ENOENT', 'EEXIST'].includes(code) || tries === mostTries) throw error
    }
  }
}

const mostTries = 20

function makeLevels(folder: string, made: string[]): void {
  if (existsSync(folder)) return
  const above = dirname(folder)
  // A removed working folder has no parent.
  if (above !== folder) makeLevels(above, made)
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(folder)) return
    throw error
  }
  made.push(folder)
}
