import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders } from '../../base/make-folders.ts'
import type { Problem } from '../../text/errors.ts'
import { runFileProblem } from './run-files.ts'

/**
 * Checks, before a run that may take hours, that a file can be written at its end. Removes a file of an earlier run, unless the
 * output is appended (`isAdded`). `begun` is the folder of the run that is about to begin. Adds a problem if the check fails.
 */
export function checkOutputFile(
  problems: Problem[],
  flag: string,
  path: string | undefined,
  { begun, isAdded = false }: { begun?: string | undefined; isAdded?: boolean } = {},
): void {
  if (path === undefined) return
  const problem = runFileProblem(flag, path, begun)
  if (problem) {
    problems.push(problem)
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
      fix: 'Give a file in a folder that you can write to.',
    })
  }
}
