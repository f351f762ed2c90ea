import { readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { RecordedReplies } from '../agents/agent.ts'
import { RecordedReply, RepliesHeader, repliesFormat } from '../schema/ledger/recorded-replies.ts'
import { schemaProblems } from '../suites/files/read-json-lines.ts'
import { readLines } from '../suites/files/read-lines.ts'
import { UserError } from '../text/errors.ts'
import { isObject } from '../text/is-object.ts'
import { inWords } from '../text/issue-text.ts'
import { shorten } from '../text/shorten.ts'

/** The tasks of a run, of which replies are kept, and the base of relative paths. */
interface ReadOptions {
  tasks: ReadonlySet<string>
  cwd: string
}

interface Replies {
  /** Those of the file that is read, and how many replies it had so far. */
  header: RepliesHeader
  file: string
  lines: number
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
  const models: string[] = []
  let all: Replies | undefined
  for (const file of files) {
    const before = models.length
    for await (const { number, text } of readLines(file)) {
      if (number > 1) {
        if (text.trim() !== '') takeLine(text, `${file}:${number}`, tasks, all as Replies)
        continue
      }
      const header = readHeader(text, file)
      models.push(header.model)
      // The rest of a file of another model is not read.
      if (model !== undefined && header.model !== model) break
      if (all) requireSame(where, all.header, header, file)
      all ??= { header, file, lines: 0, kept: new Map(), samples: 0, other: undefined }
      Object.assign(all, { header, file, lines: 0 })
    }
    if (models.length === before) throw new UserError({ where: file, what: 'is empty', fix: headerFix })
    if (all?.file === file) requireWhole(all)
  }
  if (!all)
    throw new UserError({
      where,
      what: `no file in the folder has replies of "${model}"`,
      fix: `Its models: ${[...new Set(models)].join(', ')}.`,
    })
  const { header, kept, samples, other } = all
  if (kept.size === 0 && tasks.size > 0) throw new UserError({ where, ...noReplies(tasks, other) })
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

/** Returns the agents of the other models whose replies lie in the folder of `MODEL@FOLDER`, by the names of their files. */
export function otherModels(spec: string, cwd: string): string[] {
  const [folder, model] = splitModel(spec)
  if (model === undefined) return []
  const files = findReplyFiles(folder, cwd) ?? []
  const names = files.map((file) => basename(file).replace(/\.jsonl(\.gz)?$/, ''))
  return names.filter((name) => name !== model).map((name) => `recorded:${name}@${folder}`)
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

function noReplies(tasks: ReadonlySet<string>, other: string | undefined) {
  const [wanted = ''] = tasks
  const theirs =
    other === undefined ? 'The files have no replies at all.' : `They have ${other}, for example.`
  return {
    what: `has no reply to any task of this run, such as ${wanted}`,
    fix: `${theirs} Choose those tasks, or import the replies again with --tasks as in this run.`,
  }
}

function readHeader(text: string, file: string): RepliesHeader {
  const value = parsed(text)
  const { data, error } = RepliesHeader.safeParse(value, inWords)
  if (data) return data
  if (Object(value).format === undefined)
    throw new UserError({ where: `${file}:1`, what: 'is no header of recorded replies', fix: headerFix })
  throw new UserError(
    error.issues.map(({ path, message }) => ({
      where: `${file}:1 ${path.join('.')}`.trim(),
      what: message,
      fix: headerFix,
    })),
  )
}

const headerFix = `Its first line is an object with format "${repliesFormat}", model, source, licence, date, prompts and replies; bench replies import makes such files.`

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
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

function requireWhole({ file, lines, header }: Replies): void {
  if (lines === header.replies) return
  throw new UserError({
    where: file,
    what: `has ${lines} replies, but its first line says ${header.replies}: it was cut, or changed by hand`,
    fix: 'Restore it from a copy, or import the replies again.',
  })
}

function takeLine(text: string, where: string, tasks: ReadonlySet<string>, all: Replies): void {
  const value = parsed(text)
  all.lines++
  if (!isObject(value))
    throw new UserError({
      where,
      what: 'is not a JSON object: the file was cut, or changed by hand',
      fix: 'Restore it from a copy, or import the replies again.',
    })
  const problems = schemaProblems(value, where, RecordedReply)
  if (problems.length > 0) throw new UserError(problems)
  keep(value as RecordedReply, where, tasks, all)
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
