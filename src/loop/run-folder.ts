import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from '../errors.ts'
import { schemaVersion } from '../schema/record.ts'
import { RunManifest } from '../schema/run.ts'
import { syncFolder } from './durable.ts'

/** Makes a new run folder with its run.json. Throws `UserError` when it cannot be written or holds something already. */
export function createRunFolder(folder: string, manifest: RunManifest): void {
  if (existsSync(folder)) {
    if (existsSync(join(folder, 'run.json')))
      throw new UserError({
        where: `--out ${folder}`,
        what: 'a run is there already',
        fix: `Give another folder, or go on with it: bench run --resume ${folder}`,
      })
    if (isNotEmpty(folder))
      throw new UserError({
        where: `--out ${folder}`,
        what: 'is not an empty folder',
        fix: 'Give a folder that is empty or does not exist yet.',
      })
  }
  try {
    mkdirSync(folder, { recursive: true })
    const draft = join(folder, `.run.json.${process.pid}`)
    writeFileSync(draft, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
    renameSync(draft, join(folder, 'run.json'))
    syncFolder(folder)
    syncFolder(dirname(folder))
  } catch (error) {
    throw new UserError({
      where: `--out ${folder}`,
      what: `cannot be written (${(error as NodeJS.ErrnoException).code ?? error})`,
      fix: 'Give a folder that you may write to.',
    })
  }
}

/** Reads run.json. Throws `UserError` when there is none, it is broken, or a newer version of bench wrote it. */
export function readManifest(folder: string): RunManifest {
  const path = join(folder, 'run.json')
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const missing =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ||
      (error as NodeJS.ErrnoException).code === 'ENOTDIR'
    throw new UserError({
      where: folder,
      what: missing
        ? 'is not a run folder: it holds no run.json'
        : `run.json cannot be read (${(error as Error).message})`,
      fix: 'Give the folder that bench printed at the end of a run. See bench runs.',
    })
  }
  const version = (json as { schemaVersion?: unknown } | null)?.schemaVersion
  if (typeof version === 'number' && version > schemaVersion)
    throw new UserError({
      where: path,
      what: `was written by a newer bench: schemaVersion ${version}, this one reads ${schemaVersion}`,
      fix: 'Update bench.',
    })
  const parsed = RunManifest.safeParse(json)
  if (!parsed.success)
    throw new UserError(
      parsed.error.issues.map((issue) => ({
        where: path,
        what: `${issue.path.join('.') || 'the file'}: ${issue.message}`,
        fix: 'The file must stay as bench wrote it.',
      })),
    )
  return parsed.data
}

function isNotEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0
  } catch (error) {
    throw new UserError({
      where: `--out ${folder}`,
      what: `cannot be used (${(error as NodeJS.ErrnoException).code ?? error})`,
      fix: 'Give a folder that you may write to.',
    })
  }
}
