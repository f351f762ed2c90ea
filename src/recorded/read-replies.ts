import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { RecordedReplies } from '../agents/agent.ts'
import { RecordedReply, RepliesHeader, repliesFormat } from '../schema/ledger/recorded-replies.ts'
import { readJsonObjects, schemaProblems } from '../suites/files/read-json-lines.ts'
import { readLines } from '../suites/files/read-lines.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { shorten } from '../text/shorten.ts'

/** The tasks of a run, of which replies are kept, and the base of relative paths. */
interface ReadOptions {
  tasks: ReadonlySet<string>
  cwd: string
}

interface Replies {
  header: RepliesHeader
  /** By task and sample. */
  kept: Map<string, { reply: RecordedReply; where: string }>
  samples: number
  /** A task that the files have and the run has not. */
  other: string | undefined
}

/**
 * Reads recorded replies by what stands after `recorded:`: files with commas between them, a folder, or `MODEL@FOLDER`. Only
 * replies to the given tasks are kept. Throws `UserError` with the place and the remedy of what cannot be used.
 */
export async function readReplies(spec: string, { tasks, cwd }: ReadOptions): Promise<RecordedReplies> {
  const where = `agent recorded:${spec}`
  const [, model] = splitModel(spec)
  const files = findReplyFiles(spec, cwd)
  if (files === undefined || files.length === 0) throw new UserError({ where, ...missingFiles(spec, files) })
  let all: Replies | undefined
  for (const file of files) {
    const header = await readHeader(file)
    if (model !== undefined && header.model !== model) continue
    if (all) requireSame(where, all.header, header, file)
    all ??= { header, kept: new Map(), samples: 0, other: undefined }
    await readFile(file, header, tasks, all)
  }
  if (!all)
    throw new UserError({
      where,
      what: `no file in the folder has replies of "${model}"`,
      fix: await modelsFix(files),
    })
  const { header, kept, samples, other } = all
  if (kept.size === 0) throw new UserError({ where, ...noReplies(tasks, other) })
  const { source, licence, date, prompts } = header
  return {
    facts: { model: header.model, source, licence, date, prompts, samples },
    find: (task, sample) => kept.get(`${task} ${sample}`)?.reply,
  }
}

/** Splits `MODEL@FOLDER`; without a model it is one or more paths. */
function splitModel(spec: string): [path: string, model?: string] {
  const at = spec.indexOf('@')
  const model = spec.slice(0, Math.max(at, 0))
  // A path may have the sign, too.
  return at > 0 && !/[/\\,]/.test(model) ? [spec.slice(at + 1), model] : [spec]
}

/** Returns the files that are named after `recorded:`, those of a folder by name; undefined if one of them does not exist. */
export function findReplyFiles(spec: string, cwd: string): string[] | undefined {
  const [path, model] = splitModel(spec)
  const named = model === undefined ? path.split(',') : [path]
  const found = named.map((one) => filesAt(resolve(cwd, one.trim())))
  return found.includes(undefined) ? undefined : found.flatMap((files) => files ?? [])
}

function filesAt(path: string): string[] | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found ? [path] : undefined
  const names = readdirSync(path).filter((name) => /\.jsonl(\.gz)?$/.test(name) && !name.startsWith('.'))
  return names.toSorted().map((name) => join(path, name))
}

const missingFiles = (spec: string, files: readonly string[] | undefined) => ({
  what: files
    ? 'is a folder without .jsonl and .jsonl.gz files'
    : 'names a file or folder that does not exist',
  fix: `Give files that bench replies import has made, such as recorded:replies.jsonl.gz; paths are relative to the working folder${spec.includes('@') ? ', and MODEL@ stands before a folder' : ''}.`,
})

async function modelsFix(files: readonly string[]): Promise<string> {
  const models = new Set<string>()
  for (const file of files) models.add((await readHeader(file)).model)
  return `Its models: ${[...models].join(', ')}.`
}

function noReplies(tasks: ReadonlySet<string>, other: string | undefined) {
  const [wanted = ''] = tasks
  const theirs =
    other === undefined ? 'The files have no replies at all.' : `They have ${other}, for example.`
  return {
    what: `has no reply to any task of this run, such as ${wanted}`,
    fix: `${theirs} Choose those tasks, or import the replies again with --tasks as in this run.`,
  }
}

async function readHeader(file: string): Promise<RepliesHeader> {
  for await (const { text } of readLines(file)) {
    const header = headerOf(text)
    if ('problems' in header)
      throw new UserError(
        header.problems.map((problem) => ({ ...problem, where: `${file}:1 ${problem.where}`.trim() })),
      )
    return header.data
  }
  throw new UserError({ where: file, what: 'is empty', fix: headerFix })
}

const headerFix = `Its first line is an object with format "${repliesFormat}", model, source, licence, date, prompts and replies; bench replies import makes such files.`

function headerOf(text: string): { data: RepliesHeader } | { problems: Problem[] } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problems: [{ where: '', what: 'is no header of recorded replies', fix: headerFix }] }
  }
  const { data, error } = RepliesHeader.safeParse(value)
  if (data) return { data }
  const isHeader = Object(value).format !== undefined
  const issues = isHeader ? error.issues : error.issues.slice(0, 1)
  return {
    problems: issues.map(({ path, message }) =>
      isHeader
        ? { where: path.join('.'), what: message, fix: headerFix }
        : { where: '', what: 'is no header of recorded replies', fix: headerFix },
    ),
  }
}

/** Two files are one agent only where model, source, licence, date and prompts agree: else a table would name one of them alone. */
function requireSame(where: string, first: RepliesHeader, other: RepliesHeader, file: string): void {
  for (const field of ['model', 'source', 'licence', 'date', 'prompts'] as const) {
    if (first[field] === other[field]) continue
    throw new UserError({
      where,
      what: `${file} has another ${field} than the file before it: ${shorten(other[field], 80)}, not ${shorten(first[field], 80)}`,
      fix:
        field === 'model'
          ? 'Name one of them: recorded:MODEL@FOLDER.'
          : 'Replies of one agent come from one source: name the files that belong together, or make them agree.',
    })
  }
}

async function readFile(
  file: string,
  header: RepliesHeader,
  tasks: ReadonlySet<string>,
  all: Replies,
): Promise<void> {
  let lines = 0
  for await (const item of readJsonObjects(file)) {
    if (item.line === 1) continue
    if ('problems' in item) throw new UserError(item.problems)
    lines++
    const problems = schemaProblems(item.data, item.where, RecordedReply)
    if (problems.length > 0) throw new UserError(problems)
    keep(item.data as RecordedReply, item.where, tasks, all)
  }
  if (lines !== header.replies)
    throw new UserError({
      where: file,
      what: `has ${lines} replies, but its first line says ${header.replies}: it was cut, or changed by hand`,
      fix: 'Restore it from a copy, or import the replies again.',
    })
}

function keep(reply: RecordedReply, where: string, tasks: ReadonlySet<string>, all: Replies): void {
  const { task, sample } = reply
  if (!tasks.has(task)) {
    all.other ??= task
    return
  }
  const key = `${task} ${sample}`
  const before = all.kept.get(key)
  if (before)
    throw new UserError({
      where,
      what: `is a second reply to ${task}, sample ${sample}; the first is ${before.where}`,
      fix: 'Keep one of them, or give the other the next sample number.',
    })
  all.kept.set(key, { reply, where })
  all.samples = Math.max(all.samples, sample)
}
