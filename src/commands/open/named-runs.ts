import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from '../../loop/record/run-folder.ts'
import { UserError } from '../../text/errors.ts'
import { nearWord } from '../../text/near-word.ts'

/** The folder in which runs are found by name. */
const runsFolder = 'results'

/** The word that names the newest run. */
const newest = 'latest'

const mostListed = 10

/**
 * Returns the path of a run folder, given its path, its name in results/, the unambiguous beginning of such a name, or `latest`
 * for the run there that was created last. A path wins, then a whole name. A text that names no run is returned as it is. Throws
 * `UserError` if several names begin with it, if one is nearly the same, or if there is no latest run.
 */
export function findRunFolder(run: string): string {
  if (run === '' || existsSync(run)) return run
  if (existsSync(join(runsFolder, run))) return join(runsFolder, run)
  if (run === newest) return latestRun(run)
  const found = runsBeginningWith(run)
  if (found.length > 1)
    throw new UserError({
      where: run,
      what: `is the beginning of ${found.length} runs in ${runsFolder}/: ${listed(found)}`,
      fix: `Write more of the name, or ${newest} for the newest run.`,
    })
  const near = nearWord(run, runNames())
  if (found[0] === undefined && near !== undefined && !run.includes('/'))
    throw new UserError({
      where: run,
      what: `names no run: there is no such folder, and no run in ${runsFolder}/ has a name that begins so`,
      fix: `Did you mean ${near}? See bench runs.`,
    })
  return found[0] === undefined ? run : join(runsFolder, found[0])
}

/** Reports whether a text names one run, as `findRunFolder` reads it. */
export function namesRun(run: string): boolean {
  const isFolder = (folder: string) => existsSync(join(folder, 'run.json'))
  if (isFolder(run) || isFolder(join(runsFolder, run))) return true
  return run === newest ? runNames().length > 0 : runsBeginningWith(run).length > 0
}

/** Returns the run in results/ that was created last. Without a run it throws `UserError`, which names the argument `where`. */
export function latestRun(
  where: string,
  fix = 'Start one with bench run, or write the path of a run folder.',
): string {
  const made = runNames().flatMap((name) => createdAt(name) ?? [])
  const [latest] = made.sort((a, b) => (a.at === b.at ? (a.name < b.name ? 1 : -1) : a.at < b.at ? 1 : -1))
  if (latest) return join(runsFolder, latest.name)
  throw new UserError({ where, what: `names no run, and ${runsFolder}/ holds none`, fix })
}

/** A damaged run does not hide the others. */
function createdAt(name: string): { name: string; at: string } | undefined {
  try {
    return { name, at: readManifest(join(runsFolder, name)).createdAt }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return undefined
  }
}

/** A path is not the beginning of a name. */
const runsBeginningWith = (start: string): string[] =>
  start === '' || start.includes('/') ? [] : runNames().filter((name) => name.startsWith(start))

function runNames(): string[] {
  if (!existsSync(runsFolder)) return []
  return readdirSync(runsFolder)
    .filter((name) => existsSync(join(runsFolder, name, 'run.json')))
    .sort()
}

function listed(names: readonly string[]): string {
  const more = names.length - mostListed
  return `${names.slice(0, mostListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
