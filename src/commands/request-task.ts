import { readFileSync, statSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { digest } from '../canonical.ts'
import { UserError } from '../errors.ts'
import { readFolder } from '../loop/folder.ts'
import type { Task } from '../schema/task.ts'

/**
 * A free request on the user's own folder as a task: nothing to grade it against, everything editable. The folder is
 * only read. Throws `UserError` when file or folder are missing.
 */
export function requestTask(
  instructionFile: string,
  workspace: string | undefined,
): { task: Task; request: { instruction: string; workspace: string } } {
  const file = resolve(instructionFile)
  const folder = workspace === undefined ? '' : resolve(workspace)
  const instruction = read(file, instructionFile)
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
  const { files } = folder === '' ? { files: {} } : readFolder(folder)
  const id = basename(file, extname(file)).replace(/[^\w.-]/g, '-') || 'request'
  const task: Task = {
    ref: `request/${id}`,
    suite: 'request',
    spec: {
      id,
      version: 1,
      title: id,
      output: folder === '' ? 'answer' : 'files',
      language: 'text',
      editable: folder === '' ? [] : ['**'],
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
    origin: file,
  }
  return { task, request: { instruction: file, workspace: folder } }
}

function read(file: string, given: string): string {
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
