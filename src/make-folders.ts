import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it that are missing, and adds each to `made`. Throws what the system says where one cannot be
 * made. One level at a time: Node 20's recursive mkdir never returns below /proc.
 */
export function makeFolders(folder: string, made: string[] = []): void {
  if (existsSync(folder)) return
  makeFolders(dirname(folder), made)
  try {
    mkdirSync(folder)
    made.push(folder)
  } catch (error) {
    // Another process may have made it in between.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
