import { readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { z } from 'zod'
import { digest } from '../canonical.ts'
import { UserError } from '../errors.ts'
import { parseEntry } from '../loop/entries.ts'
import { readFolder } from '../loop/folder.ts'
import type { Redactor } from '../redact.ts'
import { lazyObject } from '../schema/lazy-object.ts'
import type { Task } from '../schema/task.ts'

/**
 * A free request on the user's own folder as a task: nothing to grade it against, everything editable. The folder is
 * only read, and neither agents nor the run folder see the secrets in it. Throws `UserError` when file or folder are missing.
 */
export function requestTask(
  instructionFile: string,
  workspace: string | undefined,
  redact?: Redactor,
): { task: Task; request: { instruction: string; workspace: string }; skipped: string[] } {
  const file = resolve(instructionFile)
  const folder = workspace === undefined ? '' : resolve(workspace)
  const instruction = readText(file, instructionFile)
  if (instruction.trim() === '')
    throw new UserError({
      where: `--instruction ${instructionFile}`,
      what: 'is empty',
      fix: 'Write what is wanted into it.',
    })
  if (folder !== '' && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError({
      where: `--workspace ${workspace}`,
      what: 'is not a folder',
      fix: 'Give the folder to work on.',
    })
  const read = folder === '' ? { files: {}, skipped: [] } : readFolder(realpathSync(folder))
  const id = basename(file, extname(file)).replace(/[^\w.-]/g, '-') || 'request'
  const skipped = read.skipped.map(({ path, reason }) => `${path} is left out: it ${reason}`)
  return {
    task: taskOf({
      id,
      instruction: redact ? redact.text(instruction) : instruction,
      files: redact ? redact.data(read.files) : read.files,
      hasFolder: folder !== '',
    }),
    request: { instruction: file, workspace: folder },
    skipped,
  }
}

/** What a free request began with, kept in its run folder: the user's own folder may change at any time. */
const RequestSnapshot = lazyObject(() => ({
  id: z.string(),
  instruction: z.string(),
  files: z.record(z.string(), z.string()),
  hasFolder: z.boolean(),
}))
type RequestSnapshot = z.infer<typeof RequestSnapshot>

/** Keeps a free request with its run. */
export function saveRequest(folder: string, { spec, instruction, files }: Task): void {
  const snapshot: RequestSnapshot = { id: spec.id, instruction, files, hasFolder: spec.output === 'files' }
  writeFileSync(join(folder, 'request.json'), JSON.stringify(snapshot), { flush: true })
}

/** The task of a run's free request, as it was when the run began. */
export function savedRequest(folder: string): Task {
  const path = join(folder, 'request.json')
  const remedy = 'The file must stay as bench wrote it: put it back from a copy of the run folder.'
  return taskOf(parseEntry(readText(path, path), RequestSnapshot, { where: path, remedy }))
}

function taskOf({ id, instruction, files, hasFolder }: RequestSnapshot): Task {
  return {
    ref: `request/${id}`,
    suite: 'request',
    spec: {
      id,
      version: 1,
      title: id,
      output: hasFolder ? 'files' : 'answer',
      language: 'text',
      editable: hasFolder ? ['**'] : [],
      graders: [],
      rule: 'all',
      requires: [],
      limits: {},
      licence: 'unknown',
      source: 'request',
      properties: {},
    },
    instruction,
    files,
    checks: {},
    hidden: { tests: {} },
    digest: digest({ instruction, files }),
    origin: 'request',
  }
}

function readText(file: string, given: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError({
      where: `--instruction ${given}`,
      what: `cannot be read (${(error as NodeJS.ErrnoException).code})`,
      fix: 'Give a text file.',
    })
  }
}
