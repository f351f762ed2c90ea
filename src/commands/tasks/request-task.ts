import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { z } from 'zod'
import { parseLine } from '../../loop/journal/jsonl.ts'
import { runFiles } from '../../loop/journal/run-files.ts'
import { shortenRejected } from '../../replies/files.ts'
import { counted } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Task } from '../../schema/task.ts'
import { digest } from '../../text/canonical-json.ts'
import { type Problem, problemAt, UserError } from '../../text/errors.ts'
import { findKeyText } from '../../text/key-text.ts'
import type { Redactor } from '../../text/redact.ts'
import type { TextRequest } from '../config/run-options.ts'
import { readWorkspace, resolveIncludedPaths, type WorkspaceFiles } from './workspace-files.ts'

const maxKept = 1000

interface FreeRequest {
  /** File with the text of the request. */
  instruction: string
  workspace?: string | undefined
  /** Paths in the folder to include although a rule leaves them out. */
  include?: readonly string[] | undefined
  /** Accepts a folder of any size. */
  yes?: boolean | undefined
}

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
    throw new UserError(
      problemAt(`--instruction ${asked.instruction}`, 'is empty', 'Write your request into this file.'),
    )
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

async function loadWorkspace({ workspace, include = [], yes = false }: Omit<FreeRequest, 'instruction'>) {
  if (workspace === undefined) return { files: {}, leftOut: [], included: [], notes: [] }
  const folder = resolve(workspace)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(
      problemAt(`--workspace ${workspace}`, 'is not a folder', 'Give the folder to work on.'),
    )
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
  writeFileSync(join(folder, runFiles.request), JSON.stringify(snapshot), { flush: true })
}

/** Reads the task of a free request as it was when the run began. Throws `UserError`. */
export function readSavedRequest(folder: string): Task {
  const path = join(folder, runFiles.request)
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

const unconfirmedLimit = { files: 200, bytes: 2_000_000 }

const maxNames = 20

/** Returns lines that list the files of a workspace that are taken, and for each reason those that are left out. */
export function describeWorkspace(shown: string, { sizes, leftOut }: WorkspaceFiles): string[] {
  const all = [...sizes.keys()]
  const names = all.length > 0 ? `: ${named(all)}` : ''
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))]
  return [
    `the agents get ${counted(all.length, 'file')} of ${shown}, ${formatBytes(sum(sizes.values()))}${names}`,
    ...reasons.map((reason) => {
      const paths = leftOut.filter((one) => one.reason === reason).map(({ path }) => path)
      return `left out because it ${reason}: ${named(paths)}`
    }),
    ...(leftOut.length > 0 ? ['to take a path that is left out, add --include PATH'] : []),
  ]
}

/** Throws `UserError` if a large workspace would be sent without `--yes`. */
export function requireConfirmation(shown: string, { sizes }: WorkspaceFiles, isConfirmed: boolean): void {
  const bytes = sum(sizes.values())
  if (isConfirmed || (sizes.size <= unconfirmedLimit.files && bytes <= unconfirmedLimit.bytes)) return
  const most = `${unconfirmedLimit.files} files or ${formatBytes(unconfirmedLimit.bytes)}`
  const problem: Problem = {
    where: `--workspace ${shown}`,
    what: `the agents would get ${counted(sizes.size, 'file')}, ${formatBytes(bytes)}; more than ${most} requires --yes. The largest parts: ${largestParts(sizes)}`,
    fix: 'Add --yes to send all files, give a smaller folder, or list files that are not needed in .gitignore.',
  }
  throw new UserError(problem)
}

function named(paths: readonly string[]): string {
  const more = paths.length - maxNames
  const first = paths.slice(0, maxNames).map(safeLine).join(', ')
  return more > 0 ? `${first} and ${more} more` : first
}

/** Returns the top-level folders and files that are largest: five by bytes and two by number of files. */
function largestParts(sizes: ReadonlyMap<string, number>): string {
  const parts = new Map<string, { files: number; bytes: number }>()
  for (const [path, bytes] of sizes) {
    const slash = path.indexOf('/')
    const top = slash < 0 ? path : path.slice(0, slash + 1)
    const part = parts.get(top) ?? { files: 0, bytes: 0 }
    parts.set(top, { files: part.files + 1, bytes: part.bytes + bytes })
  }
  const all = [...parts]
  const byBytes = all.toSorted(([, a], [, b]) => b.bytes - a.bytes).slice(0, 5)
  const byFiles = all.toSorted(([, a], [, b]) => b.files - a.files).slice(0, 2)
  return [...new Map([...byBytes, ...byFiles])]
    .map(([path, { files, bytes }]) => {
      const count = path.endsWith('/') ? `${counted(files, 'file')}, ` : ''
      return `${safeLine(path)} (${count}${formatBytes(bytes)})`
    })
    .join(', ')
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)

/** Formats bytes in the units of the limit: 1 MB is a million bytes. */
function formatBytes(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte')
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
