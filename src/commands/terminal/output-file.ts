import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { makeFolders } from '../../base/make-folders.ts'
import { isRunFolder } from '../../loop/record/run-folder.ts'
import { type Problem, problemAt, UserError } from '../../text/errors.ts'
import { fileFault } from '../../text/file-fault.ts'
import { redactForFile } from './standard-streams.ts'

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
      what: `cannot be written: ${fileFault(error)}`,
      fix: 'Give a file in a folder that you can write to.',
    })
  }
}

/**
 * Writes a text to a file, or to stdout if `file` is undefined. Creates the folder of the file. Throws `UserError` if it cannot
 * be written, and then leaves no partial new file.
 */
export function writeOut(text: string | Uint8Array, file: string | undefined): void {
  if (file === undefined) {
    process.stdout.write(text)
    return
  }
  try {
    makeFolders(dirname(file))
    writeWhole(file, typeof text === 'string' ? redactForFile(text) : text)
  } catch (error) {
    throw new UserError(
      problemAt(`--out ${file}`, `cannot be written: ${fileFault(error)}`, 'Give another path.'),
    )
  }
}

/** Throws `UserError` if `--out`, which is to be a file, is a folder; `example` is the name of a file in it. */
export function refuseFolder(out: string | undefined, example: string): void {
  if (out === undefined || !statSync(out, { throwIfNoEntry: false })?.isDirectory()) return
  throw new UserError({
    where: `--out ${out}`,
    what: `${out} is a folder; give a file, such as ${join(out, example)}`,
  })
}

function writeWhole(file: string, text: string | Uint8Array): void {
  const isNew = !existsSync(file)
  try {
    writeFileSync(file, text)
  } catch (error) {
    if (isNew) rmSync(file, { force: true })
    throw error
  }
}

/**
 * Returns a problem if an output would overwrite a file that a run needs: its run.json, its ledger, a blob, an artifact.
 * Follows links. `begun` is the folder of a run that is about to begin.
 */
export function runFileProblem(flag: string, path: string, begun?: string): Problem | undefined {
  const target = resolveTarget(resolve(path))
  const planned = begun === undefined ? undefined : resolveTarget(resolve(begun))
  for (let folder = dirname(target); folder !== dirname(folder); folder = dirname(folder)) {
    if (folder !== planned && !isRunFolder(folder)) continue
    if (!neededFiles.test(relative(folder, target).replaceAll(sep, '/'))) continue
    return {
      where: `${flag} ${path}`,
      what: `is a file that the run in ${folder} needs`,
      fix: 'Give another file, for example one beside the run folder.',
    }
  }
  return undefined
}

const neededFiles =
  /^(?:run\.json|[^/]+\.jsonl|request\.json|lock|pause|blobs(?:\/.*)?|artifacts(?:\/.*)?|workspaces(?:\/.*)?)$/s

/** Bound for circular links. */
const maxLinks = 40

/** Returns the file that a path leads to, over links; it need not exist. */
export function resolveTarget(path: string, links = 0): string {
  try {
    return realpathSync(path)
  } catch {
    const link = linkAt(path)
    if (link !== undefined && links < maxLinks) return resolveTarget(resolve(dirname(path), link), links + 1)
    return dirname(path) === path ? path : join(resolveTarget(dirname(path), links), basename(path))
  }
}

function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    return undefined
  }
}
