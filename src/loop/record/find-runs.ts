import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Problem, problemAt, UserError } from '../../text/errors.ts'
import { withNear } from '../../text/near-word.ts'
import { runFiles } from '../journal/run-files.ts'

/**
 * Finds what is in the place of a file of a run and must not be read: a link leads out of the run, and messages quote lines that they cannot
 * read; the end of a named pipe never comes.
 */
export function foreignFile(folder: string): Problem | undefined {
  for (const name of [...Object.values(runFiles), 'blobs']) {
    const where = join(folder, name)
    const stat = lstatSync(where, { throwIfNoEntry: false })
    const kind = name === 'blobs' ? 'folder' : 'file'
    if (!stat || (kind === 'folder' ? stat.isDirectory() : stat.isFile())) continue
    const what = stat.isSymbolicLink()
      ? 'is a link, which is not followed: it could lead out of the run'
      : `is not a ${kind}`
    return problemAt(where, what, `Put the ${kind} that bench wrote in its place.`)
  }
  return undefined
}

/** Returns the run folders right in a folder, without links. Throws `UserError` if there is no folder, or if it is itself a run. */
export function findRuns(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError({
      where: folder,
      what: existsSync(folder) ? 'is not a folder' : 'does not exist',
      fix: withNear(
        folder,
        ['prune'],
        'Start a run with bench run, or name the folder that holds your runs.',
      ),
    })
  const found = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, runFiles.manifest)))
    .map(({ name }) => join(folder, name))
  if (found.length === 0 && existsSync(join(folder, runFiles.manifest)))
    throw new UserError({
      where: folder,
      what: 'is itself a run folder',
      fix: `Show it with bench show ${folder}, or list all runs beside it with bench runs ${dirname(resolve(folder))}`,
    })
  return found
}
