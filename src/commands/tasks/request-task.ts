import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { z } from 'zod'
import { parseLine } from '../../loop/journal/jsonl.ts'
import { shortenRejected } from '../../replies/files/shorten-rejected.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import { digest } from '../../text/canonical-json.ts'
import { UserError } from '../../text/errors.ts'
import { findKeyText } from '../../text/key-text.ts'
import type { Redactor } from '../../text/redact.ts'
import type { TextRequest } from '../config/run-options.ts'
import { resolveIncludedPaths } from './included-paths.ts'
import { readWorkspace } from './workspace-files.ts'
import { describeWorkspace, requireConfirmation } from './workspace-listing.ts'

/** Maximum number of left-out paths in run.json. */
const maxKept = 1000

interface FreeRequest {
  /** File with the text of the request. */
  instruction: string
  /** Folder to work on. */
  workspace?: string | undefined
  /** Paths in the folder to include although a rule leaves them out. */
  include?: readonly string[] | undefined
  /** Accepts a folder of any size. */
  yes?: boolean | undefined
}

/** The task of a free request, its entry in run.json, and the notes to print. */
interface RequestTask {
  task: Task
  request: NonNullable<RunManifest['request']>
  notes: string[]
}

/**
 * Creates a task from a free request on the user's folder. The task has no graders, and every file is editable. The folder is
 * only read. Ignored files and keys are left out, and secrets of the environment are redacted in the rest. Throws `UserError`
 * if the file or the folder is missing, or if the folder is too large.
 */
export async function createRequestTask(asked: FreeRequest, redact?: Redactor): Promise<RequestTask> {
  const file = resolve(asked.instruction)
  const instruction = readText(file, asked.instruction)
  if (instruction.trim() === '')
    throw new UserError({
      where: `--instruction ${asked.instruction}`,
      what: 'is empty',
      fix: 'Write your request into this file.',
    })
  const id = basename(file, extname(file)).replace(/[^\w.-]/g, '-') || 'request'
  return createTask({ ...asked, id, text: instruction, file }, redact)
}

/** Creates a task from a free request that is given as a text, otherwise like `createRequestTask`. */
export const createTextTask = (
  asked: TextRequest & Pick<FreeRequest, 'yes'>,
  redact?: Redactor,
): Promise<RequestTask> => createTask({ ...asked, file: '' }, redact)

async function createTask(
  {
    file,
    id,
    text,
    ...folder
  }: Omit<FreeRequest, 'instruction'> & { file: string; id: string; text: string },
  redact: Redactor | undefined,
): Promise<RequestTask> {
  const key = findKeyText(text, file || 'request')
  const { files, leftOut, included, notes } = await loadWorkspace(folder)
  const listedLeftOut = shortenRejected(leftOut, maxKept)
  const workspace = folder.workspace === undefined ? '' : resolve(folder.workspace)
  return {
    task: buildTask({
      id,
      instruction: redact ? redact.text(text) : text,
      files: redact ? redact.data(files) : files,
      hasFolder: workspace !== '',
    }),
    request: {
      instruction: file,
      workspace,
      ...(listedLeftOut.length > 0 && { leftOut: redact ? redact.data(listedLeftOut) : listedLeftOut }),
      ...(included.length > 0 && { included: redact ? redact.data(included) : included }),
    },
    notes: [...keyNotes(key), ...notes],
  }
}

const keyNotes = (key: string | undefined): string[] =>
  key ? [`the instruction holds what looks like ${key}; it is sent unchanged`] : []

/** Loads the files that the agents get, with the notes to print. */
async function loadWorkspace({ workspace, include = [], yes = false }: Omit<FreeRequest, 'instruction'>) {
  if (workspace === undefined) return { files: {}, leftOut: [], included: [], notes: [] }
  const folder = resolve(workspace)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError({
      where: `--workspace ${workspace}`,
      what: 'is not a folder',
      fix: 'Give the folder to work on.',
    })
  const included = resolveIncludedPaths(folder, include)
  const read = await readWorkspace(folder, included)
  requireConfirmation(workspace, read, yes)
  return { files: read.files, leftOut: read.leftOut, included, notes: describeWorkspace(workspace, read) }
}

/** The start of a free request, saved in its run folder because the user's folder may change. */
const RequestSnapshot = z.object({
  id: z.string(),
  instruction: z.string(),
  files: z.record(z.string(), z.string()),
  hasFolder: z.boolean(),
})
type RequestSnapshot = z.infer<typeof RequestSnapshot>

/** Saves a free request in its run folder. */
export function saveRequest(folder: string, { spec, instruction, files }: Task): void {
  const snapshot: RequestSnapshot = { id: spec.id, instruction, files, hasFolder: spec.output === 'files' }
  writeFileSync(join(folder, 'request.json'), JSON.stringify(snapshot), { flush: true })
}

/** Reads the task of a free request as it was when the run began. Throws `UserError`. */
export function readSavedRequest(folder: string): Task {
  const path = join(folder, 'request.json')
  const remedy = 'Restore the file from a copy of the run folder; bench needs it unchanged.'
  return buildTask(parseLine(readText(path, path), RequestSnapshot, { where: path, remedy }))
}

function buildTask({ id, instruction, files, hasFolder }: RequestSnapshot): Task {
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
