import { z } from 'zod'
import { isObject } from '../text/is-object.ts'
import { openArchive } from './archive.ts'
import {
  type BrokenResult,
  type Finding,
  type ForeignTrial,
  gradeOf,
  type Importer,
  type ImportOptions,
  noScore,
  noTokens,
  readResult,
  type TrialFinding,
} from './foreign-trial.ts'
import { tellSample, tokensOf, Usage } from './inspect-story.ts'
import { parseJson, readParts, readRest, shaped } from './read-document.ts'
import { messageText } from './story.ts'

const Id = z.union([z.string(), z.number()])

const Sample = z.looseObject({
  id: Id,
  epoch: z.int().positive(),
  input: z.unknown().optional(),
  target: z.unknown().optional(),
  scores: z.record(z.string(), z.looseObject({ value: z.unknown().optional() })).nullish(),
  error: z.looseObject({ message: z.string() }).nullish(),
  limit: z.looseObject({ type: z.string() }).nullish(),
  model_usage: z.record(z.string(), Usage).nullish(),
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
    task_version: Id.optional(),
    solver: z.string().nullish(),
    model: z.string(),
    model_base_url: z.string().nullish(),
    dataset: z.looseObject({ sample_ids: z.array(Id).nullish() }).optional(),
    config: z.looseObject({ epochs: z.number().nullish() }).optional(),
  }),
  plan: z.looseObject({ steps: z.array(z.looseObject({ solver: z.string() })).optional() }).nullish(),
  results: z
    .looseObject({
      scores: z
        .array(
          z.looseObject({
            name: z.string(),
            metrics: z.record(z.string(), z.looseObject({ value: z.number().nullish() })).optional(),
          }),
        )
        .optional(),
    })
    .nullish(),
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
  const { task, task_version, model, solver, run_id, created } = header.eval
  const steps = header.plan?.steps?.map((step) => step.solver).join('+')
  const scorer = options.score ?? header.results?.scores?.[0]?.name
  const row = { agent: solver ?? steps ?? null, model }
  const seen = new Set<string>()
  options.noteVersion(String(header.version), path)
  return {
    trial(value: unknown, where: string): TrialFinding {
      const sample = shaped(Sample, value, where)
      const { id, epoch, limit, scores } = sample
      seen.add(`${id} ${epoch}`)
      const names = Object.keys(scores ?? {})
      if (options.score !== undefined && names.length > 0 && !names.includes(options.score))
        throw noScore(where, options.score, names)
      const name = scorer !== undefined && names.includes(scorer) ? scorer : names[0]
      const trial: ForeignTrial = {
        ...{
          where,
          ...row,
          suite: task,
          version: task_version === undefined ? undefined : String(task_version),
        },
        ...{ task: String(id), epoch, content: JSON.stringify([sample.input, sample.target]) },
        ...(run_id !== undefined && { id: `${run_id} ${id} ${epoch}` }),
        ...(sample.error
          ? { state: 'error' as const, reason: sample.error.message, score: null }
          : gradeOf(name === undefined ? undefined : scores?.[name]?.value)),
        ...(limit && { limit: limit.type }),
        ...usageOf(sample.model_usage, model),
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
      for (const id of header.eval.dataset?.sample_ids ?? [])
        for (let epoch = 1; epoch <= epochs; epoch++)
          if (!seen.has(`${id} ${epoch}`))
            yield {
              trial: {
                ...{
                  where: path,
                  ...row,
                  suite: task,
                  version: task_version === undefined ? undefined : String(task_version),
                },
                ...{
                  task: String(id),
                  epoch,
                  state: 'not run',
                  reason: `the log is ${header.status}`,
                  score: null,
                },
                ...{ tokens: noTokens, costUsd: null, calls: null, durationMs: null },
              },
            }
      const accuracy = header.results?.scores?.find(({ name }) => name === scorer)?.metrics?.accuracy?.value
      if (typeof accuracy === 'number')
        yield { stated: { where: path, ...row, what: 'success rate', value: accuracy } }
    },
  }
}

function usageOf(
  usage: Sample['model_usage'],
  model: string,
): Pick<ForeignTrial, 'tokens' | 'costUsd' | 'uses'> {
  const all = Object.entries(usage ?? {})
  const isOther = all.length > 1 || all.some(([name]) => name !== model)
  return {
    ...tokensOf(all.map(([, one]) => one)),
    ...(isOther && { uses: all.map(([name, one]) => ({ model: name, tokens: tokensOf([one]).tokens })) }),
  }
}

/** A sample whose conversation has one reply, and nothing else that a model or a tool said. */
function replyOf({ messages, output, error }: Sample): Pick<ForeignTrial, 'reply'> {
  const said = (messages ?? []).filter(({ role }) => role !== 'system')
  const [question, answer] = said
  const isPlain = said.length === 2 && question?.role === 'user' && answer?.role === 'assistant'
  if (!isPlain || error || typeof output?.completion !== 'string') return {}
  const finish = output.choices?.[0]?.stop_reason ?? undefined
  return { reply: { text: output.completion, prompt: messageText(question.content), finish } }
}
