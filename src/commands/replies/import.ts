import { existsSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { selectTasks } from '../../loop/plan/select-tasks.ts'
import { isRunFolder } from '../../loop/record/run-folder.ts'
import { type ImportedReplies, importSources } from '../../recorded/import-source.ts'
import { nameTasks } from '../../recorded/name-tasks.ts'
import { counted, formatCount } from '../../reports/words/numbers.ts'
import { type RecordedReply, RepliesHeader, repliesFormat } from '../../schema/ledger/recorded-replies.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { inWords } from '../../text/issue-text.ts'
import { refuseFolder, runFileProblem, writeOut } from '../terminal/output-file.ts'
import { say } from '../terminal/say.ts'
import { isLater } from '../values/parse-values.ts'
import { openReplyReader } from './foreign-replies.ts'
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
      what: 'is not a .jsonl or .jsonl.gz file',
      fix: 'Write --out replies.jsonl.gz.',
    })
  if (date !== undefined && isLater(date))
    problems.push({ where: `--date ${date}`, what: 'is in the future', fix: fixes.date })
  if (problems.length > 0) throw new UserError(problems)
  refuseFolder(out, 'replies.jsonl.gz')
  if (existsSync(out as string))
    throw new UserError({
      where: `--out ${out}`,
      what: 'already exists, and a run may use its replies',
      fix: 'Give another name, or remove the file first.',
    })
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
  for (const note of [...found.notes, ...(found.told ?? [])]) say(note)
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
      fix: 'Import them separately, into two files.',
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

async function repliesOfSources(
  files: readonly string[],
  { tasks: text, model, agent }: ImportOptions,
): Promise<ToWrite> {
  if (text === undefined)
    throw new UserError({
      where: '--tasks',
      what: 'is missing',
      fix: 'Select the tasks that were answered, as for a run: --tasks gsm8k:test.jsonl. Their names here are found by id and prompt.',
    })
  const { tasks } = await selectTasks(text, 1)
  const imported = await importSources(files, nameTasks(tasks), model, () => openReplyReader(agent))
  const refs = tasks.map(({ ref }) => ref)
  const notes = findingTexts(imported, refs, model)
  if (imported.replies.length === 0)
    throw new UserError({
      where: files.join(', '),
      what: `has no reply to a task of --tasks ${text}${notes.length > 0 ? ` (${notes.at(-1)})` : ''}`,
      fix: 'Select the tasks that were answered; bench tasks SELECTION lists their names.',
    })
  const { byPrompt, models } = imported.findings
  const [named] = models.size === 1 ? [...models.keys()] : []
  return {
    ...{ replies: imported.replies, origin: named === undefined ? {} : { model: named } },
    ...{ prompts: 'source', notes },
    told: byPrompt.length > 0 ? [`${counted(byPrompt.length, 'reply', 'replies')} named by the prompt`] : [],
  }
}

/** Returns the first line of the file. Throws `UserError` with all that is missing or wrong. */
function headerOf(origin: ToWrite['origin'], { replies, prompts, notes }: ToWrite): RepliesHeader {
  const { data, error } = RepliesHeader.safeParse(
    {
      ...{ format: repliesFormat, ...origin, prompts, replies: replies.length },
      ...(notes.length > 0 && { notes }),
    },
    inWords,
  )
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

/** Returns what was found in a source, a sentence each, with counts. `tasks` and `model`: those that the user selected. */
function findingTexts(
  { replies, findings }: ImportedReplies,
  tasks: readonly string[],
  model: string | undefined,
): string[] {
  const { ignored, texts, beside, uncounted, empty, unclosed, unnamed, lines, models } = findings
  const answered = new Set(replies.map(({ task }) => task))
  const others = [...models.keys()].filter((name) => name !== model).map((name) => name ?? 'no name')
  const suites = new Set(replies.map(({ task }) => task.split('/')[0]))
  const unanswered = tasks.filter((task) => !answered.has(task) && suites.has(task.split('/')[0]))
  const judged = (['read', 'correct'] as const).filter((field) => ignored.has(field))
  const cut = probablyCut(findings.outputs)
  const all: (string | false | undefined)[] = [
    ignored.has('cost') &&
      `cost is not read (${counted(ignored.get('cost') ?? 0, 'line')}): it does not say its currency, which may be roubles; money comes from tokens and --prices`,
    judged.length > 0 &&
      `${judged.join(' and ')} ${judged.length > 1 ? 'are' : 'is'} not believed: bench reads and grades each reply itself`,
    ...[...unnamed].map(
      ([why, ids]) =>
        `${formatCount(ids.length)} of ${counted(lines, 'reply', 'replies')} left out, since ${whys[why]}: ${listed(ids)}`,
    ),
    unanswered.length > 0 && `${counted(unanswered.length, 'task')} without a reply: ${listed(unanswered)}`,
    empty.length > 0 &&
      `${counted(empty.length, 'empty reply', 'empty replies')}, which will count as failed: ${listed(empty)}`,
    cut &&
      `${counted(cut.replies, 'reply', 'replies')} with exactly ${formatCount(cut.tokens)} output tokens, the most there are: probably cut off by a limit`,
    unclosed.length > 0 &&
      `${counted(unclosed.length, 'reply', 'replies')} with a block of code that does not end, perhaps cut off: ${listed(unclosed)}`,
    texts > 0 &&
      `${counted(texts, 'usage', 'usages')} with numbers written as texts, which were read as numbers`,
    beside > 0 &&
      `${counted(beside, 'reply', 'replies')} whose input did not count the cached tokens, which were added to it`,
    findings.byId.length > 0 &&
      `${counted(findings.byId.length, 'reply', 'replies')} named by the id alone, since no prompt tells the task: if the source counts its tasks in another way, they are replies to others`,
    findings.cut.length > 0 &&
      `${counted(findings.cut.length, 'reply', 'replies')} cut off by a limit, as the source says (finish_reason): ${listed(findings.cut)}`,
    models.size > 1 &&
      `${counted(sum([...models.values()]) - lines, 'reply', 'replies')} left out, since other models gave them: ${others.join(', ')}`,
    uncounted.length > 0 &&
      `${counted(uncounted.length, 'reply', 'replies')} without known tokens, so without a price: ${listed(uncounted)}`,
  ]
  return all.filter((text) => typeof text === 'string')
}

const sum = (counts: readonly number[]) => counts.reduce((total, one) => total + one, 0)

const whys = {
  unknown: 'no selected task has their id or stands in their prompt',
  several: 'several selected tasks fit',
  'other-prompt': 'their prompt does not hold the task that has their id',
}

const listed = (names: readonly string[]) =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`

/** Returns the most output tokens, if several replies have exactly as many, or if it is a usual limit. */
function probablyCut(outputs: readonly number[]): { replies: number; tokens: number } | undefined {
  const tokens = outputs.reduce((most, one) => Math.max(most, one), 0)
  const replies = outputs.filter((one) => one === tokens).length
  const isLimit = tokens >= 500 && (tokens % 500 === 0 || Number.isInteger(Math.log2(tokens)))
  return tokens >= 100 && (isLimit || (replies > 2 && replies > 1)) ? { replies, tokens } : undefined
}
