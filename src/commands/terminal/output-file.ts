import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders } from '../../base/make-folders.ts'
import type { Problem } from '../../text/errors.ts'
import { runFileProblem } from './run-files.ts'

/**
 * Makes sure, before a run that may take hours, that a file can be written at its end, and that none of an earlier run
 * stands there until then, unless it is to be added to. `begun` is the folder of a run that is to begin.
 */
export function checkOutputFile(
  problems: Problem[],
  flag: string,
  path: string | undefined,
  { begun, isAdded = false }: { begun?: string | undefined; isAdded?: boolean } = {},
): void {
  if (path === undefined) return
  const taken = runFileProblem(flag, path, begun)
  if (taken) {
    problems.push(taken)
    return
  }
  try {
    makeFolders(dirname(path))
    const isKept = isAdded && existsSync(path)
    closeSync(openSync(path, 'a'))
    if (!isKept) rmSync(path)
  } catch (error) {
    problems.push({
      where: `${flag} ${path}`,
      what: `cannot be written: ${(error as Error).message}`,
      fix: 'Name a file in a folder that may be written to.',
    })
  }
}
