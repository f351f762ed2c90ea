import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Problem } from '../errors.ts'

/**
 * Makes sure, before a run that may take hours, that a file can be written at its end, and that none of an earlier run
 * stands there until then.
 */
export function readyOutput(problems: Problem[], flag: string, path: string | undefined): void {
  if (path === undefined) return
  try {
    mkdirSync(dirname(path), { recursive: true })
    closeSync(openSync(path, 'a'))
    rmSync(path)
  } catch (error) {
    problems.push({
      where: `${flag} ${path}`,
      what: `cannot be written: ${(error as Error).message}`,
      fix: 'Name a file in a folder that may be written to.',
    })
  }
}
