import { z } from 'zod'
import { endOfWord } from '../agents/wire/finish-in.ts'
import { scanReply } from '../replies/scan.ts'
import { partsOf } from '../replies/scan-regions.ts'
import type { RecordedReply } from '../schema/ledger/recorded-replies.ts'
import { readJsonObjects, schemaProblems } from '../suites/files/read-json-lines.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { shellWord } from '../text/shell-word.ts'
import type { NamedTask } from './name-tasks.ts'
import { readUsage } from './source-usage.ts'

/** A line of a source: one reply to one of its tasks. Other fields are left alone. */
const SourceLine = z.looseObject({
  task: z.union([z.string().min(1), z.number()], 'is not a text or a number'),
  reply: z.string(),
  prompt: z.string().optional(),
  sample: z.int().positive().optional(),
  usage: z.record(z.string(), z.unknown()).nullish(),
  finish_reason: z.string().nullish(),
  model: z.string().nullish(),
})

/** What a source has that a user should know: counts, and the tasks that they are about. */
interface Findings {
  lines: number
  /** Lines with a field that is not read. */
  ignored: Map<'cost' | 'read' | 'correct', number>
  texts: number
  beside: number
  uncounted: string[]
  empty: string[]
  /** Tasks whose prompt was found in a reply's, and those that were found by an id alone. */
  byPrompt: string[]
  byId: string[]
  /** Tasks of the replies that a limit cut off, as the source says. */
  cut: string[]
  /** Output tokens and tasks of the replies that opened a block of code and did not close it, and of all. */
  unclosed: string[]
  outputs: number[]
  unnamed: Map<Exclude<NamedTask, { ref: string }>['why'], string[]>
  /** Replies of each model that the lines name; undefined: a line names none. */
  models: Map<string | undefined, number>
}

/** The replies of a source, in its order, and what was found. */
export interface ImportedReplies {
  replies: RecordedReply[]
  findings: Findings
}

/** Reads the lines of a file of replies. */
type ReadReplies = typeof readJsonObjects

/**
 * Reads the replies of sources, of several models those of `model` alone. The files are read twice, each time by a new reader. Throws `UserError` for what is no reply, for an empty file, for a
 * second reply to the same task and sample, and for several models of which none is chosen.
 */
export async function importSources(
  files: readonly string[],
  nameOf: (id: string, prompt: string | undefined) => NamedTask,
  model?: string,
  openReader: () => ReadReplies = () => readJsonObjects,
): Promise<ImportedReplies> {
  const models = await countModels(files, openReader())
  if (models.size > 1 && (!model || !models.has(model)))
    throw new UserError(severalModels(files, models, model))
  const replies: RecordedReply[] = []
  const places = new Map<string, string>()
  const findings: Findings = {
    ...{ lines: 0, ignored: new Map(), texts: 0, beside: 0, uncounted: [] },
    ...{ empty: [], byPrompt: [], byId: [], cut: [], unclosed: [], outputs: [], unnamed: new Map() },
    models,
  }
  const read = openReader()
  for (const file of files)
    for await (const item of read(file)) {
      if ('problems' in item) throw new UserError(item.problems)
      if (item.data.format !== undefined) throw alreadyImported(item.where)
      const problems = schemaProblems(item.data, item.where, SourceLine)
      if (problems.length > 0) throw new UserError(problems)
      const line = item.data as z.infer<typeof SourceLine>
      const reply = models.size > 1 && line.model !== model ? undefined : toReply(line, nameOf, findings)
      if (!reply) continue
      const key = `${reply.task} ${reply.sample}`
      const before = places.get(key)
      if (before !== undefined)
        throw new UserError({
          where: item.where,
          what: `is a second reply to ${reply.task}, sample ${reply.sample}; the first is ${before}`,
          fix: 'Keep one of them, or give the lines of one task a field sample: 1, 2 and so on.',
        })
      places.set(key, item.where)
      replies.push(reply)
    }
  return { replies, findings }
}

/** Counts the replies of each model that the lines of files name. Throws `UserError` for a file without a line. */
async function countModels(
  files: readonly string[],
  read: ReadReplies,
): Promise<Map<string | undefined, number>> {
  const models = new Map<string | undefined, number>()
  for (const file of files) {
    let lines = 0
    for await (const item of read(file)) {
      lines++
      const model = 'data' in item && typeof item.data.model === 'string' ? item.data.model : undefined
      models.set(model, (models.get(model) ?? 0) + 1)
    }
    if (lines === 0)
      throw new UserError({
        where: file,
        what: 'is empty',
        fix: 'Name a file with replies of another harness, one JSON object a line.',
      })
  }
  return models
}

function severalModels(
  files: readonly string[],
  models: ReadonlyMap<string | undefined, number>,
  model: string | undefined,
): Problem {
  const all = [...models].map(([name, count]) => `${name ?? 'no name'} (${count})`).join(', ')
  const [first] = [...models.keys()].filter((name) => name !== undefined)
  return {
    where: files.join(', '),
    what: `has replies of ${models.size} models: ${all}${model ? `, of which none is ${model}` : ''}`,
    fix: `Import each into a file of its own: --model ${shellWord(first ?? '')} takes those of one.`,
  }
}

const alreadyImported = (where: string) =>
  new UserError({
    where,
    what: 'is recorded replies of bench already, not a source of them',
    fix: 'Name the file after --agents recorded:.',
  })

function toReply(
  { task: given, reply, prompt, sample = 1, usage, finish_reason, ...others }: z.infer<typeof SourceLine>,
  nameOf: (id: string, prompt: string | undefined) => NamedTask,
  findings: Findings,
): RecordedReply | undefined {
  findings.lines++
  for (const field of ['cost', 'read', 'correct'] as const)
    if (others[field] !== undefined) findings.ignored.set(field, (findings.ignored.get(field) ?? 0) + 1)
  const named = nameOf(String(given), prompt)
  if ('why' in named) {
    findings.unnamed.set(named.why, [...(findings.unnamed.get(named.why) ?? []), String(given)])
    return undefined
  }
  const { tokens, hasTexts, wasBeside } = readUsage(usage)
  const { ref: task } = named
  if (hasTexts) findings.texts++
  if (wasBeside) findings.beside++
  if (tokens.input === null || tokens.output === null) findings.uncounted.push(task)
  findings[named.by === 'prompt' ? 'byPrompt' : 'byId'].push(task)
  if (reply.trim() === '') findings.empty.push(task)
  const end = endOfWord(finish_reason ?? '')
  const finish = end === 'error' || end === 'other' ? undefined : end
  if (finish === 'length') findings.cut.push(task)
  if (isUnclosed(reply)) findings.unclosed.push(task)
  if (tokens.output !== null) findings.outputs.push(tokens.output)
  return { task, sample, reply, tokens, ...(finish && { finish }) }
}

/** Whether a reply opens a block of code and does not close it: a stop word or a limit cut it off. */
const isUnclosed = (reply: string) =>
  partsOf(scanReply(reply).regions).some((part) => part.kind === 'fence' && !part.isClosed)
