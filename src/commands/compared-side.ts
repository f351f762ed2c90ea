import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { UserError } from '../errors.ts'
import { unknownName } from '../loop/methods.ts'
import { readManifest } from '../loop/run-folder.ts'
import type { RunManifest } from '../schema/run.ts'
import { findRunFolder } from './reopen.ts'

/** One method of one run. */
export interface ComparedSide {
  folder: string
  /** The run's short name, for labels. */
  name: string
  manifest: RunManifest
  method: string
}

/** Reads `[RUN:]METHOD`; without a run it is the latest in results/. Throws `UserError` when there is no such run or method. */
export function comparedSide(text: string): ComparedSide {
  // A label may hold colons in its options, a path none after its last folder.
  const at = text.split('[')[0]?.lastIndexOf(':') ?? -1
  const method = text.slice(at + 1)
  const folder = at < 1 ? latestRun(text) : findRunFolder(text.slice(0, at))
  const manifest = readManifest(folder)
  const labels = manifest.methods.map(({ label }) => label)
  if (!labels.includes(method))
    throw new UserError(unknownName(text, `method of ${folder}`, method, labels, `bench show ${folder}`))
  return { folder, name: basename(folder), manifest, method }
}

/** The run in results/ that was begun last. */
function latestRun(text: string): string {
  const names = existsSync('results') ? readdirSync('results') : []
  const runs = names
    .map((name) => join('results', name))
    .filter((folder) => existsSync(join(folder, 'run.json')))
    .map((folder) => ({ folder, createdAt: readManifest(folder).createdAt }))
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  const [latest] = runs
  if (latest) return latest.folder
  throw new UserError({
    where: text,
    what: 'names no run, and results/ holds none',
    fix: `Write RUN:${text}, with the folder that bench printed at the end of a run.`,
  })
}
