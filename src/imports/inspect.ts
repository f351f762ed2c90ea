import { z } from 'zod'
import { openArchive } from './archive.ts'
import {
  type Finding,
  type ForeignTrial,
  type Importer,
  type ImportOptions,
  noTokens,
} from './foreign-trial.ts'
import { gradeOf, noScore } from './grade.ts'
import { readParts, readRest, shaped } from './read-document.ts'

const Usage = z.looseObject({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  total_tokens: z.number().nullish(),
  input_tokens_cache_read: z.number().nullish(),
  input_tokens_cache_write: z.number().nullish(),
  total_cost: z.number().nullish(),
})

const Id = z.union([z.string(), z.number()])

const Sample = z.looseObject({
  id: Id,
  epoch: z.int().positive(),
  input: z.unknown(),
  target: z.unknown(),
  scores: z.record(z.string(), z.looseObject({ value: z.unknown() })).nullish(),
  error: z.looseObject({ message: z.string() }).nullish(),
  limit: z.looseObject({ type: z.string() }).nullish(),
  model_usage: z.record(z.string(), Usage).nullish(),
  output: z.looseObject({ completion: z.string().nullish() }).nullish(),
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

/** Logs of Inspect AI: `.eval` archives and `.json`, of version 2. */
export const inspect: Importer = {
  title: 'Inspect AI',
  wanted: 'a log, LOG.eval or LOG.json',
  takes: ['score'],
  async *read(path, options) {
    yield* path.endsWith('.eval') ? readArchive(path, options) : readJson(path, options)
  },
}

async function* readArchive(path: string, options: ImportOptions): AsyncGenerator<Finding> {
  const archive = await openArchive(path)
  try {
    // A log that was cut off has no header yet, but the start of one.
    const name = archive.entries.has('header.json') ? 'header.json' : '_journal/start.json'
    const header = shaped(
      Header,
      { status: 'cut off', ...((await archive.readJson(name)) as object) },
      `${path}:${name}`,
    )
    const log = openLog(header, path, options)
    for (const entry of archive.entries.keys())
      if (/^samples\/.+\.json$/.test(entry))
        yield log.trial(await archive.readJson(entry), `${path}:${entry}`)
    yield* log.rest()
  } finally {
    archive.close()
  }
}

async function* readJson(path: string, options: ImportOptions): AsyncGenerator<Finding> {
  const log = openLog(shaped(Header, await readRest(path, ['samples']), path), path, options)
  for await (const part of readParts(path, ['samples']))
    if (part.list !== undefined) yield log.trial(part.value, `${path}:samples[${part.index}]`)
  yield* log.rest()
}

function openLog(header: Header, path: string, options: ImportOptions) {
  const { task, task_version, model, solver, run_id, created } = header.eval
  const steps = header.plan?.steps?.map((step) => step.solver).join('+')
  const scorer = options.score ?? header.results?.scores?.[0]?.name
  const row = { agent: solver ?? steps ?? null, model }
  const seen = new Set<string>()
  options.noteVersion(String(header.version))
  return {
    trial(value: unknown, where: string): Finding {
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
        ...usageOf(sample.model_usage),
        calls: null,
        durationMs: typeof sample.total_time === 'number' ? sample.total_time * 1000 : null,
        ...(created !== undefined && { startedAt: created }),
        ...(sample.output?.completion && { answer: sample.output.completion }),
      }
      return { trial }
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

/** Sums over models. Some providers count cache reads and writes beside the input, as the total tells. */
function usageOf(usage: z.infer<typeof Sample>['model_usage']): Pick<ForeignTrial, 'tokens' | 'costUsd'> {
  const all = Object.values(usage ?? {})
  if (all.length === 0) return { tokens: noTokens, costUsd: null }
  const sum = (of: (one: z.infer<typeof Usage>) => number | null | undefined) =>
    all.reduce<number | null>((total, one) => {
      const value = of(one)
      return total === null || typeof value !== 'number' ? null : total + value
    }, 0)
  const cacheOf = (one: z.infer<typeof Usage>) =>
    (one.input_tokens_cache_read ?? 0) + (one.input_tokens_cache_write ?? 0)
  const isBeside = ({
    input_tokens: input,
    output_tokens: output,
    total_tokens: total,
    ...one
  }: z.infer<typeof Usage>) => total === (input ?? 0) + (output ?? 0) + cacheOf(one)
  return {
    tokens: {
      input: sum((one) =>
        typeof one.input_tokens === 'number' && isBeside(one)
          ? one.input_tokens + cacheOf(one)
          : one.input_tokens,
      ),
      output: sum((one) => one.output_tokens),
      cached: sum((one) => one.input_tokens_cache_read),
    },
    costUsd: sum((one) => one.total_cost),
  }
}
