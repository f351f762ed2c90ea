import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { readLines } from '../suites/files/read-lines.ts'
import { UserError } from '../text/errors.ts'
import { isObject } from '../text/is-object.ts'
import { withNear } from '../text/near-word.ts'
import {
  type Finding,
  type ForeignTrial,
  type Grade,
  gradeOf,
  type Importer,
  type ImportOptions,
  noScore,
  noTokens,
  readResult,
  words,
} from './foreign-trial.ts'
import { longestFile, parseJson, readWhole, shaped } from './read-document.ts'

const Sample = z.looseObject({
  doc_id: z.union([z.number(), z.string()]),
  doc_hash: z.string().nullish(),
  filter: z.string().nullish(),
  metrics: z.array(z.string()).nullish(),
  filtered_resps: z.array(z.unknown()).nullish(),
  arguments: z.unknown().optional(),
  resps: z.array(z.unknown()).nullish(),
})
type Sample = z.infer<typeof Sample>

/** Samples of lm-evaluation-harness (`--log_samples`): `samples_TASK_TIME.jsonl`, and the results beside them for model and totals. */
export const lmEval: Importer = {
  title: 'lm-evaluation-harness',
  wanted: 'samples_TASK_TIME.jsonl, as --log_samples writes it',
  takes: ['score'],
  async *read(path, options) {
    const [, task = basename(path), time = ''] =
      /^samples_(.+?)(?:_(\d{4}-\d\d-\d\dT[\d.:-]+))?\.jsonl(?:\.gz)?$/.exec(basename(path)) ?? []
    const results = await resultsBeside(path, time)
    const model =
      words(results.model_name) ?? words((results.config as { model?: unknown } | undefined)?.model)
    const choice = createChoice(options)
    for await (const { number: line, text } of readLines(path, longestFile)) {
      if (text.trim() === '') continue
      const where = `${path}:${line}`
      const found = await readResult(where, () => {
        const sample = shaped(Sample, parseJson(text, where), where)
        const metric = choice.metricOf(sample, where)
        if (metric === undefined) return undefined
        return trialOf(sample, { where, suite: task, model, version: versionOf(results, task), metric })
      })
      if (found) yield found
    }
    const chosen = choice.result(path)
    const stated = chosen && statedOf(results, task, chosen)
    if (typeof stated === 'number')
      yield { stated: { where: path, agent: null, model, what: 'success rate', value: stated } }
    if (choice.repeats() > 0)
      yield {
        leftOut: {
          where: path,
          what: `${choice.repeats()} samples repeat a document and name no filter; the first reply to each counts`,
        },
      }
  },
}

/** Chooses what counts: `--score METRIC` or `--score METRIC,FILTER`; else the first of both. */
function createChoice({ score }: ImportOptions) {
  const [metric, filter] = score?.split(',') ?? []
  const filters = new Set<string>()
  const documents = new Set<string>()
  let chosen: { filter: string; metric: string } | undefined
  let [taken, repeats] = [0, 0]

  /** Whether a file that names no filters has this document for the first time. */
  function isFirst({ filter: named, doc_id: id, doc_hash: hash }: Sample): boolean {
    if (typeof named === 'string') return true
    const document = `${id} ${hash}`
    const isRepeat = documents.has(document)
    documents.add(document)
    if (isRepeat) repeats++
    return !isRepeat
  }

  return {
    /** Returns the metric of a sample; undefined for the reply of a trial that another filter reads. Throws `UserError` if it has no such metric. */
    metricOf(sample: Sample, where: string): string | undefined {
      chosen ??= { filter: filter ?? sample.filter ?? 'none', metric: metric ?? sample.metrics?.[0] ?? 'acc' }
      if (score !== undefined && sample.metrics?.includes(chosen.metric) === false)
        throw noScore(where, chosen.metric, sample.metrics)
      const own = sample.filter ?? 'none'
      filters.add(own)
      if (own !== chosen.filter || !isFirst(sample)) return undefined
      taken++
      return chosen.metric
    },
    repeats: () => repeats,
    /** Returns what was chosen. Throws `UserError` for a filter that no sample has. */
    result(where: string): typeof chosen {
      if (taken > 0 || filter === undefined || filters.size === 0) return chosen
      throw new UserError({
        where: `${where} --score ${score}`,
        what: `names the filter ${filter}, which no sample has`,
        fix: withNear(filter, [...filters], `Its filters: ${[...filters].join(', ')}.`),
      })
    },
  }
}

/** Says which numbers a sample has, if it has not the one that counts. */
function gradeOfSample(sample: Sample, metric: string): Grade {
  const grade = gradeOf(sample[metric])
  if (sample[metric] !== undefined || grade.reason !== '') return grade
  const names = Object.keys(sample).filter((name) => name !== 'doc_id' && typeof sample[name] === 'number')
  const choice = names.length > 0 ? `; it has ${names.join(', ')}: choose one with --score` : ''
  return { ...grade, reason: `it has no metric ${metric}${choice}` }
}

function trialOf(
  sample: Sample,
  {
    where,
    suite,
    model,
    version,
    metric,
  }: { where: string; suite: string; model: string | null; version: string | undefined; metric: string },
): Finding {
  const [reply] = sample.filtered_resps ?? []
  return {
    trial: {
      ...{ where, agent: null, model, suite, version, task: String(sample.doc_id) },
      content: sample.doc_hash ?? undefined,
      ...gradeOfSample(sample, metric),
      ...{ tokens: noTokens, costUsd: null, calls: null, durationMs: null },
      ...(typeof reply === 'string' && { answer: reply }),
      ...replyOf(sample),
    },
  }
}

/** A task that asks a model to write has one text in its first list of replies; others have likelihoods. */
function replyOf({ resps, arguments: given }: Sample): Pick<ForeignTrial, 'reply'> {
  const text = [resps?.[0]].flat()[0]
  if (resps?.length !== 1 || typeof text !== 'string') return {}
  const first = isObject(given) ? given.gen_args_0 : [given].flat()[0]
  const prompt = isObject(first) ? first.arg_0 : [first].flat()[0]
  return { reply: { text, prompt: words(prompt) ?? undefined } }
}

/** Returns the results of the same time that stand beside the samples; empty if there are none. */
async function resultsBeside(path: string, time: string): Promise<Record<string, unknown>> {
  const folder = dirname(path)
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^results.*\.json$/.test(name)) : []
  const name =
    names.find((one) => time !== '' && one.includes(time)) ?? (names.length === 1 ? names[0] : undefined)
  if (name === undefined) return {}
  const found = parseJson(await readWhole(join(folder, name)), join(folder, name))
  return isObject(found) ? found : {}
}

function versionOf({ versions }: Record<string, unknown>, task: string): string | undefined {
  const version = isObject(versions) ? versions[task] : undefined
  return version === undefined ? undefined : String(version)
}

function statedOf(
  { results }: Record<string, unknown>,
  task: string,
  { metric, filter }: { metric: string; filter: string },
): unknown {
  const row = isObject(results) ? results[task] : undefined
  return isObject(row) ? (row[`${metric},${filter}`] ?? row[metric]) : undefined
}
