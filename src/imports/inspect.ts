import { z } from 'zod'
import { isObject } from '../text/is-object.ts'
import { openArchive } from './archive.ts'
import {
  type BrokenResult,
  type Finding,
  type ForeignTrial,
  type Importer,
  type ImportOptions,
  noTokens,
  readResult,
  type TrialFinding,
  words,
} from './foreign-trial.ts'
import { createGrading, Graded, Results, tokensOf, Usage, withoutRole } from './inspect-sample.ts'
import { tellSample, unpacked } from './inspect-story.ts'
import { parseJson, readParts, readRest, shaped } from './read-document.ts'
import { messageText } from './story.ts'

const Id = z.union([z.string(), z.number()])

const Sample = z.looseObject({
  id: Id,
  epoch: z.int().positive(),
  input: z.unknown().optional(),
  target: z.unknown().optional(),
  uuid: z.string().nullish(),
  ...Graded.shape,
  limit: z.looseObject({ type: z.string() }).nullish(),
  model_usage: z.record(z.string(), Usage).nullish(),
  role_usage: z.record(z.string(), Usage).nullish(),
  attachments: z.record(z.string(), z.unknown()).nullish(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown().optional() })).nullish(),
  output: z
    .looseObject({
      completion: z.string().nullish(),
      choices: z.array(z.looseObject({ stop_reason: z.string().nullish() })).nullish(),
    })
    .nullish(),
  total_time: z.number().nullish(),
})

const Header = z.looseObject({
  version: z.number(),
  status: z.string(),
  eval: z.looseObject({
    run_id: z.string().optional(),
    created: z.string().optional(),
    task: z.string(),
    task_id: z.string().nullish(),
    task_version: Id.optional(),
    solver: z.string().nullish(),
    model: z.string(),
    model_base_url: z.string().nullish(),
    model_roles: z.record(z.string(), z.unknown()).nullish(),
    dataset: z.looseObject({ samples: z.number().nullish(), sample_ids: z.array(Id).nullish() }).optional(),
    config: z.looseObject({ epochs: z.number().nullish(), limit: z.unknown().optional() }).optional(),
  }),
  plan: z.looseObject({ steps: z.array(z.looseObject({ solver: z.string() })).optional() }).nullish(),
  results: Results.nullish(),
})
type Header = z.infer<typeof Header>
type Sample = z.infer<typeof Sample>

/** Logs of Inspect AI: `.eval` archives and `.json`, of version 2. */
export const inspect: Importer = {
  title: 'Inspect AI',
  wanted: 'a log, LOG.eval or LOG.json',
  takes: ['score'],
  tested: ['2'],
  async *read(path, options) {
    yield* path.endsWith('.eval') ? readArchive(path, options) : readJson(path, options)
  },
}

async function* readArchive(path: string, options: ImportOptions): AsyncGenerator<Finding | BrokenResult> {
  const archive = await openArchive(path)
  try {
    // A log that was cut off has no header yet, but the start of one.
    const name = archive.entries.has('header.json') ? 'header.json' : '_journal/start.json'
    const start = (await archive.readJson(name)) as object
    const header = shaped(Header, { status: 'cut off', ...start }, `${path}:${name}`)
    const log = openLog(header, path, options)
    for (const entry of archive.entries.keys())
      if (/^samples\/.+\.json$/.test(entry))
        yield await readResult(`${path}:${entry}`, async () =>
          log.trial(await archive.readJson(entry), `${path}:${entry}`),
        )
    yield* log.rest()
  } finally {
    archive.close()
  }
}

async function* readJson(path: string, options: ImportOptions): AsyncGenerator<Finding | BrokenResult> {
  let log: ReturnType<typeof openLog> | undefined
  for await (const part of readParts(path, ['samples'])) {
    if (part.list === undefined) log ??= openLog(shaped(Header, part.rest, path), path, options)
    else {
      // Inspect AI writes its results before the samples; where another program did not, the document is read to its end first.
      log ??= openLog(shaped(Header, await headerOf(part.before, path), path), path, options)
      const { trial } = log
      const where = `${path}:samples[${part.index}]`
      yield await readResult(where, () => trial(part.value, where))
    }
  }
  if (log) yield* log.rest()
}

async function headerOf(before: string, path: string): Promise<unknown> {
  const header = parseJson(before, path)
  return isObject(header) && 'results' in header ? header : readRest(path, ['samples'])
}

function openLog(header: Header, path: string, options: ImportOptions) {
  const { task, task_id, task_version, model, solver, run_id, created } = header.eval
  const steps = header.plan?.steps?.map((step) => step.solver).join('+')
  const grading = createGrading(header.results, options.score)
  const row = { agent: solver ?? steps ?? null, model }
  const version = task_version === undefined ? undefined : String(task_version)
  const seen = new Set<string>()
  options.noteVersion(String(header.version), path)
  /** What names a sample in its log and in those that try it again. */
  const placeOf = (id: string | number, epoch: number) => ({
    ...{ ...row, suite: task, version, task: String(id), epoch },
    ...(task_id && { planned: `${task_id} ${id} ${epoch}` }),
  })
  return {
    trial(value: unknown, where: string): TrialFinding {
      const { attachments, ...packed } = shaped(Sample, value, where)
      const { input, target, messages, output } = packed
      const sample = { ...packed, ...unpacked({ input, target, messages, output }, attachments) }
      const { id, epoch, limit, uuid } = sample
      seen.add(`${id} ${epoch}`)
      // A log that was tried again has the samples that were good with their uuid.
      const name = uuid ?? (run_id === undefined ? undefined : `${run_id} ${id} ${epoch}`)
      const trial: ForeignTrial = {
        ...{ where, ...placeOf(id, epoch) },
        ...{ content: contentOf(sample), ...(name !== undefined && { id: name }) },
        ...grading.grade(sample, where),
        ...(limit && { limit: limit.type }),
        ...usageOf(sample, header.eval),
        ...{ server: header.eval.model_base_url ?? undefined, calls: null },
        durationMs: typeof sample.total_time === 'number' ? sample.total_time * 1000 : null,
        ...(created !== undefined && { startedAt: created }),
        ...(sample.output?.completion && { answer: sample.output.completion }),
        ...replyOf(sample),
      }
      return { trial, ...(sample.messages?.length && { story: () => tellSample(value, where) }) }
    },
    /** Returns what was planned and is missing, and the totals. */
    *rest(): Generator<Finding> {
      const epochs = header.eval.config?.epochs ?? 1
      const reason = `the log is ${header.status}`
      for (const id of header.eval.dataset?.sample_ids ?? [])
        for (let epoch = 1; epoch <= epochs; epoch++)
          if (!seen.has(`${id} ${epoch}`))
            yield {
              trial: {
                ...{ where: path, ...placeOf(id, epoch), state: 'not run', reason, score: null },
                ...{ tokens: noTokens, costUsd: null, calls: null, durationMs: null },
              },
            }
      const planned = plannedSamples(header) * epochs
      if (header.status !== 'success' && seen.size < planned)
        yield {
          leftOut: {
            where: path,
            what: `${planned - seen.size} of ${planned} samples were not run, since ${reason}; it does not name them`,
          },
        }
      const rate = grading.rate()
      if (rate !== undefined) yield { stated: { where: path, ...row, what: 'success rate', value: rate } }
    },
  }
}

/** How many samples a log has planned without naming them. */
function plannedSamples({ eval: { dataset, config } }: Header): number {
  if (dataset?.sample_ids) return 0
  const samples = dataset?.samples ?? 0
  const { limit } = config ?? {}
  const [from, to] = Array.isArray(limit) ? limit.map(Number) : [0, Number(limit ?? samples)]
  return Math.max(0, Math.min(samples, to ?? samples) - (from ?? 0))
}

/** The input and the target, without what each run gives its messages anew. */
function contentOf({ input, target }: Sample): string {
  const plain = Array.isArray(input)
    ? input.map((message) => (isObject(message) ? { ...message, id: undefined, source: undefined } : message))
    : input
  return JSON.stringify([plain, target])
}

/** What the sample itself used: what its graders used is no cost of the method. */
function usageOf(
  { model_usage: usage, role_usage: roles }: Sample,
  { model, model_roles: models }: Header['eval'],
): Pick<ForeignTrial, 'tokens' | 'costUsd' | 'uses'> {
  const used = withoutRole(usage ?? {}, roles?.grader, modelOf(models?.grader))
  if (!used) return { tokens: noTokens, costUsd: null }
  const all = Object.entries(used)
  const isOther = all.length > 1 || all.some(([name]) => name !== model)
  return {
    ...tokensOf(all.map(([, one]) => one)),
    ...(isOther && { uses: all.map(([name, one]) => ({ model: name, tokens: tokensOf([one]).tokens })) }),
  }
}

const modelOf = (role: unknown) => words(isObject(role) ? role.model : role)

/** A sample whose conversation has one reply, and nothing else that a model or a tool said. */
function replyOf({ messages, output, error }: Sample): Pick<ForeignTrial, 'reply'> {
  const said = (messages ?? []).filter(({ role }) => role !== 'system')
  const [question, answer] = said
  const isPlain = said.length === 2 && question?.role === 'user' && answer?.role === 'assistant'
  if (!isPlain || error || typeof output?.completion !== 'string') return {}
  const finish = output.choices?.[0]?.stop_reason ?? undefined
  return { reply: { text: output.completion, prompt: messageText(question.content), finish } }
}
