import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeFolders } from '../../base/make-folders.ts'
import { syncPath, writeAtomic } from '../../base/write-atomic.ts'
import { schemaVersion } from '../../schema/ledger/record.ts'
import { RunManifest } from '../../schema/run/run.ts'
import { digest } from '../../text/canonical-json.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { fileFault } from '../../text/file-fault.ts'
import { inWords } from '../../text/issue-text.ts'
import { shellWord } from '../../text/shell-word.ts'
import { jsonProblem } from '../journal/jsonl.ts'
import { refuseSpecialFile } from '../journal/lines.ts'
import { runFiles } from '../journal/run-files.ts'
import { isDiskFault, storageError } from '../journal/storage.ts'
import { amendManifest, readAmendments } from './amendments.ts'
import { resumeCommand } from './in-blocks.ts'

/** Returns why a folder cannot hold a new run: it is not empty, or it cannot be created. */
export function runFolderProblems(folder: string): Problem[] {
  const where = `--out ${folder}`
  const around = runAround(folder)
  if (around !== undefined)
    return [{ where, what: `is inside the run ${around}`, fix: 'Choose a folder outside of it.' }]
  try {
    if (!existsSync(folder)) {
      tryFolders(folder)
      return []
    }
    if (existsSync(join(folder, runFiles.manifest)))
      return [
        {
          where,
          what: 'already holds a run',
          fix: `For a new run write --out ${freeName(folder)}; to continue that one: ${resumeCommand(folder)}`,
        },
      ]
    if (readdirSync(folder).length > 0)
      return [{ where, what: 'is not an empty folder', fix: `Write --out ${freeName(folder)}.` }]
    return []
  } catch (error) {
    return [unwritable(folder, error)]
  }
}

/** Returns the run folder that holds a folder, deep or right in it; undefined without one. */
function runAround(folder: string): string | undefined {
  for (let at = dirname(resolve(folder)); at !== dirname(at); at = dirname(at)) if (isRunFolder(at)) return at
  return undefined
}

/** Whether a folder is a run folder. Other programs write a run.json too; a damaged one of ours still has its ledger beside it. */
export function isRunFolder(folder: string): boolean {
  const manifest = join(folder, runFiles.manifest)
  if (!existsSync(manifest)) return false
  if ([runFiles.steps, runFiles.records].some((file) => existsSync(join(folder, file)))) return true
  try {
    const { schemaVersion } = JSON.parse(readFileSync(manifest, 'utf8')) as { schemaVersion?: unknown }
    return typeof schemaVersion === 'number'
  } catch {
    return false
  }
}

/** Returns a name like a folder's that nothing has, as a word for a shell. */
function freeName(folder: string): string {
  const [, stem = folder, number] = /^(.*?)(?:-(\d{1,6}))?\/*$/.exec(folder) ?? []
  for (let next = Number(number ?? 1) + 1; ; next++)
    if (!existsSync(`${stem}-${next}`)) return shellWord(`${stem}-${next}`)
}

/**
 * Creates a run folder: first the files that `fill` writes, then run.json with the manifest that it returns. Throws `UserError` if the folder is
 * not empty or cannot be written, and `StorageError` if the disk fails.
 */
export async function createRunFolder(
  folder: string,
  fill: (folder: string) => RunManifest | Promise<RunManifest>,
): Promise<void> {
  const problems = runFolderProblems(folder)
  if (problems.length > 0) throw new UserError(problems)
  const made: string[] = []
  try {
    makeFolders(folder, made)
    const manifest = await fill(folder)
    const text = `${JSON.stringify({ ...manifest, sum: digest(manifest) }, null, 2)}\n`
    writeAtomic(join(folder, runFiles.manifest), text, { durable: true })
    syncPath(dirname(folder))
  } catch (error) {
    // The folder was empty. It must be empty again for the next try.
    if (existsSync(folder))
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
    for (const one of made.reverse()) removeUnused(one)
    if (error instanceof UserError) throw error
    if (isDiskFault(error)) throw storageError(folder, error, 'run the same command again; nothing has begun')
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error
    throw new UserError(unwritable(folder, error))
  }
}

/** Says that other users of this machine can change a run folder or its files; undefined if they cannot. */
export function openFolderNote(folder: string): string | undefined {
  const open = ['.', ...readdirSync(folder)].find((name) => isWritableByOthers(join(folder, name)))
  if (open === undefined) return undefined
  const what = open === '.' ? folder : join(folder, open)
  return `${what} can be changed by other users of this machine, so that its records prove nothing: chmod -R go-w ${shellWord(folder)}, and call bench with a umask of 022`
}

function isWritableByOthers(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  // Windows tells no such rights.
  return process.platform !== 'win32' && stat?.isSymbolicLink() === false && (stat.mode & 0o022) !== 0
}

/** Creates a folder and removes it again, since permissions alone do not show whether it can be created. */
function tryFolders(folder: string): void {
  const made: string[] = []
  try {
    makeFolders(folder, made)
  } finally {
    for (const one of made.reverse()) removeUnused(one)
  }
}

/** Removes a folder, unless another process has begun to use it or has removed it. */
function removeUnused(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(code)) throw error
  }
}

function unwritable(folder: string, error: unknown): Problem {
  return {
    where: `--out ${folder}`,
    what: `cannot be written: ${fileFault(error)}`,
    fix: 'Use a folder that you may write to.',
  }
}

/**
 * Reads run.json, changed as amendments.jsonl says. Throws `UserError` if run.json is missing, one of them is damaged, or was
 * written by a newer version.
 */
export function readManifest(folder: string): RunManifest {
  return amendManifest(readFirstManifest(folder), readAmendments(folder))
}

/** Reads run.json alone: the plan at the start of the run. Throws `UserError` like `readManifest`. */
export function readFirstManifest(folder: string): RunManifest {
  const path = join(folder, runFiles.manifest)
  const fix = 'Restore the file as bench wrote it, from a copy of the run folder.'
  let json: unknown
  try {
    refuseSpecialFile(path)
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof UserError) throw error
    if (error instanceof SyntaxError)
      throw new UserError({ where: path, what: `is damaged: it is not valid JSON: ${error.message}`, fix })
    const missing =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ||
      (error as NodeJS.ErrnoException).code === 'ENOTDIR'
    throw new UserError({
      where: folder,
      what: missing
        ? existsSync(folder)
          ? 'is not a run folder: it holds no run.json'
          : 'names no run: there is no such folder, and no run in results/ has a name that begins so'
        : `run.json cannot be read (${(error as Error).message})`,
      fix: 'Use the folder that bench printed at the end of a run. See bench runs.',
    })
  }
  const version = (json as { schemaVersion?: unknown } | null)?.schemaVersion
  if (typeof version === 'number' && version > schemaVersion)
    throw new UserError({
      where: path,
      what: `was written by a newer bench: schemaVersion ${version}, this version reads ${schemaVersion}`,
      fix: 'Update bench.',
    })
  const { sum, ...rest } = (json ?? {}) as Record<string, unknown>
  const reason =
    jsonProblem(json) ??
    (sum === undefined || sum === digest(rest) ? undefined : 'was changed after it had been written')
  if (reason !== undefined) throw new UserError({ where: path, what: reason, fix })
  const parsed = RunManifest.safeParse(json, inWords)
  if (!parsed.success)
    throw new UserError(
      parsed.error.issues.map((issue) => ({
        where: path,
        what: `${issue.path.join('.') || 'the file'}: ${issue.message}`,
        fix,
      })),
    )
  return parsed.data
}
