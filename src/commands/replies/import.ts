import { statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { selectTasks } from '../../loop/plan/select-tasks.ts'
import { findingTexts } from '../../recorded/findings-text.ts'
import { importSources } from '../../recorded/import-source.ts'
import { nameTasks } from '../../recorded/name-tasks.ts'
import { counted } from '../../reports/words/numbers.ts'
import { type RecordedReply, RepliesHeader, repliesFormat } from '../../schema/ledger/recorded-replies.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { isRunFolder, refuseFolder, runFileProblem, writeOut } from '../terminal/output-file.ts'
import { say } from '../terminal/say.ts'
import { repliesOfRuns, type ToWrite } from './replies-of-run.ts'

interface ImportOptions {
  out?: string
  tasks?: string
  model?: string
  source?: string
  licence?: string
  date?: string
  agent?: string
}

/** `bench replies import FILES… --out FILE`: makes a file of recorded replies from lines of another harness, or from run folders. */
export default async function importReplies(
  files: readonly string[],
  options: ImportOptions,
): Promise<number> {
  const { out, model, source, licence, date } = options
  const problems: Problem[] = []
  if (out === undefined)
    problems.push({
      where: '--out',
      what: 'is missing',
      fix: 'Name the file to write: --out replies.jsonl.gz',
    })
  else if (!/\.jsonl(\.gz)?$/.test(out))
    problems.push({
      where: `--out ${out}`,
      what: 'is no .jsonl or .jsonl.gz file',
      fix: 'Write --out replies.jsonl.gz.',
    })
  if (problems.length > 0) throw new UserError(problems)
  refuseFolder(out, 'replies.jsonl.gz')
  const needed = runFileProblem('--out', out as string)
  if (needed) throw new UserError(needed)
  const found = await readAll(files, options)
  const given = { model, source, licence, date }
  const origin = {
    ...found.origin,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value)),
  }
  const header = headerOf(origin, found)
  const lines = [header, ...found.replies.toSorted(byTask)]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
  writeOut(out?.endsWith('.gz') ? gzipSync(lines, { level: 9 }) : lines, out)
  for (const note of found.notes) say(note)
  const tasks = new Set(found.replies.map(({ task }) => task)).size
  say(
    `${counted(found.replies.length, 'reply', 'replies')} of ${header.model} to ${counted(tasks, 'task')} in ${out}: bench --tasks … --methods baseline --agents recorded:${out}`,
  )
  return 0
}

const byTask = (a: RecordedReply, b: RecordedReply) =>
  a.task === b.task ? a.sample - b.sample : a.task.localeCompare(b.task, 'en', { numeric: true })

async function readAll(files: readonly string[], options: ImportOptions): Promise<ToWrite> {
  const runs = files.filter((file) => statSync(file, { throwIfNoEntry: false })?.isDirectory())
  if (runs.length > 0 && runs.length < files.length)
    throw new UserError({
      where: 'bench replies import',
      what: 'got run folders and other files',
      fix: 'Import them apart, into two files.',
    })
  const [notRun] = runs.filter((folder) => !isRunFolder(folder))
  if (notRun !== undefined)
    throw new UserError({
      where: notRun,
      what: 'is a folder, but not that of a run',
      fix: 'Name files of replies, or run folders.',
    })
  if (runs.length > 0) return repliesOfRuns(runs, options)
  return repliesOfSources(files, options)
}

async function repliesOfSources(files: readonly string[], { tasks: text }: ImportOptions): Promise<ToWrite> {
  if (text === undefined)
    throw new UserError({
      where: '--tasks',
      what: 'is missing',
      fix: 'Select the tasks that were answered, as for a run: --tasks gsm8k:test.jsonl. Their names here are found by id and prompt.',
    })
  const { tasks } = await selectTasks(text, 1)
  const imported = await importSources(files, nameTasks(tasks))
  const refs = tasks.map(({ ref }) => ref)
  const notes = findingTexts(imported, refs)
  if (imported.replies.length === 0)
    throw new UserError({
      where: files.join(', '),
      what: `has no reply to a task of --tasks ${text}${notes.length > 0 ? ` (${notes.at(-1)})` : ''}`,
      fix: 'Select the tasks that were answered; bench tasks SELECTION lists their names.',
    })
  return { replies: imported.replies, origin: {}, prompts: 'source', notes }
}

/** Returns the first line of the file. Throws `UserError` with all that is missing or wrong. */
function headerOf(origin: ToWrite['origin'], { replies, prompts, notes }: ToWrite): RepliesHeader {
  const { data, error } = RepliesHeader.safeParse({
    ...{ format: repliesFormat, ...origin, prompts, replies: replies.length },
    ...(notes.length > 0 && { notes }),
  })
  if (data) return data
  throw new UserError(
    error.issues.map(({ path: [field], message }) => {
      const isMissing = origin[field as keyof typeof origin] === undefined
      return {
        where: `--${String(field)}`,
        what: isMissing ? 'is missing' : message,
        fix: fixes[field as keyof typeof fixes] ?? 'Mend the source.',
      }
    }),
  )
}

const fixes = {
  model: 'Name the model that replied: --model qwen-2.5-7b',
  source: 'Say who recorded the replies: --source "owner/repository, commit 1a2b3c4"',
  licence: 'Say under which licence they are: --licence MIT',
  date: 'Say when they were recorded: --date 2025, 2025-03 or 2025-03-31',
}
