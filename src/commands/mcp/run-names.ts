import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findLabel } from '../../loop/plan/method-text.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import { readManifest } from '../../loop/record/run-folder.ts'
import { rowNames } from '../../schema/agent/agent-set.ts'
import { UserError } from '../../text/errors.ts'
import { interimLook, noteLook } from '../compare/interim-look.ts'

/**
 * Returns the folder of a run that a client names. A client names runs by their folder's name alone, so it reads nothing outside of
 * the folder that the server was started for. Throws `UserError` for a path, a link, a run with links and an unknown name.
 */
function runFolder(folder: string, run: string): string {
  const name = run.startsWith(`${folder}/`) ? run.slice(folder.length + 1) : run
  if (isRun(folder, name)) return join(folder, name)
  throw new UserError({
    where: `run ${JSON.stringify(run.slice(0, 100))}`,
    what: `is no run in ${folder}`,
    fix: 'Use the name of a run folder, as list_runs gives it.',
  })
}

function isRun(folder: string, name: string): boolean {
  const path = join(folder, name)
  const isName = name.length <= 255 && !/^\.|[/\\\0]/.test(name)
  const isFolder = isName && lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder && existsSync(join(path, 'run.json')) && !hasLinks(path)
}

/** Whether a file of a run is a link: it could lead anywhere, and messages quote lines that they cannot read. */
const hasLinks = (path: string): boolean =>
  readdirSync(path, { withFileTypes: true }).some((entry) => entry.isSymbolicLink())

/** The runs of a folder, as a client names them. */
export interface NamedRuns {
  folder: string
  /** Whether a client can name it. */
  has(name: string): boolean
  path(name: string): string
  /**
   * The same of a run whose results may be told. Of a live run that is not whole it throws, and says how far the run is and what it
   * spent, until the client has used `peek`.
   */
  opened(name: string): string
  /** What commands say of such a run: `--peek`, if the client has. */
  peeking(...names: string[]): string[]
  /** Notes a look in the run, and opens its results for this session. */
  peek(name: string): void
  /** A method of a run as its tables name it; a text with a colon may lead `bench` to a run elsewhere. */
  method(run: string, label: string): string
}

/** Returns what finds the runs of a folder. All functions throw `UserError`. */
export function namedRuns(folder: string): NamedRuns {
  const peeked = new Set<string>()
  const path = (name: string) => runFolder(folder, name)
  return {
    folder,
    has: (name) => isRun(folder, name),
    path,
    opened(name) {
      const found = path(name)
      const look = peeked.has(found) ? null : interimLook(found, readManifest(found))
      if (!look) return found
      throw new UserError({
        where: found,
        what: look.text,
        fix: 'Wait until it is whole, or call the tool peek; the look is then noted in the run.',
      })
    },
    peeking: (...names) => (names.some((name) => peeked.has(path(name))) ? ['--peek'] : []),
    peek(name) {
      const found = path(name)
      const manifest = readManifest(found)
      const look = interimLook(found, manifest)
      if (look) noteLook(found, manifest, { records: look.records, command: 'bench mcp' })
      peeked.add(found)
    },
    method(run, label) {
      const rows = rowNames(readManifest(path(run)))
      const shown = label.slice(0, 100)
      const found = findLabel(label, rows)
      if (found !== undefined) return found
      throw new UserError(unknownName(`method ${shown}`, `method of ${run}`, shown, rows, 'list_runs'))
    },
  }
}
