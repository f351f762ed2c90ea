import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../../text/errors.ts'
import { withNear } from '../../text/near-word.ts'
import { runFiles } from '../journal/run-files.ts'

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
