import { z } from 'zod'
import { readLines } from '../suites/files/read-lines.ts'
import {
  amount,
  type Finding,
  type Grade,
  gradeOf,
  type Importer,
  type ImportOptions,
  readResult,
  words,
} from './foreign-trial.ts'
import { longestFile, parseJson, readParts, shaped } from './read-document.ts'

const Usage = z.looseObject({
  prompt: z.number().nullish(),
  completion: z.number().nullish(),
  cached: z.number().nullish(),
  total: z.number().nullish(),
  numRequests: z.number().nullish(),
})

const Provider = z.union([z.string(), z.looseObject({ id: z.string(), label: z.string().nullish() })])

const Result = z.looseObject({
  id: z.string().nullish(),
  success: z.boolean(),
  failureReason: z.number().nullish(),
  error: z.string().nullish(),
  score: z.number().nullish(),
  cost: z.number().nullish(),
  latencyMs: z.number().nullish(),
  provider: Provider,
  prompt: z.looseObject({ label: z.string().nullish(), raw: z.string().nullish() }),
  testCase: z.looseObject({
    description: z.string().nullish(),
    assert: z.array(z.unknown()).nullish(),
    vars: z.record(z.string(), z.unknown()).nullish(),
  }),
  vars: z.record(z.string(), z.unknown()).nullish(),
  tokenUsage: Usage.nullish(),
  response: z
    .looseObject({
      output: z.unknown().optional(),
      cached: z.boolean().nullish(),
      tokenUsage: Usage.nullish(),
      finishReason: z.string().nullish(),
    })
    .nullish(),
})
type Result = z.infer<typeof Result>

/** Results of promptfoo as JSON or JSONL (`-o out.json`), of version 3. A prompt is what tries, a test case is a task, and repeats are epochs. */
export const promptfoo: Importer = {
  title: 'promptfoo',
  wanted: 'the output of promptfoo eval -o out.json, or out.jsonl',
  tested: ['3'],
  async *read(path, { noteVersion }) {
    if (/\.jsonl(\.gz)?$/.test(path)) {
      for await (const { number, text } of readLines(path, longestFile)) {
        const where = `${path}:${number}`
        if (text.trim() !== '') yield await readResult(where, () => trialOf(parseJson(text, where), where))
      }
      return
    }
    for await (const part of readParts(path, ['results.results'])) {
      if (part.list === undefined) yield* totals(part.rest, path, noteVersion)
      else {
        const where = `${path}:results.results[${part.index}]`
        yield await readResult(where, () => trialOf(part.value, where))
      }
    }
  },
}

function* totals(
  document: Record<string, unknown>,
  where: string,
  noteVersion: ImportOptions['noteVersion'],
): Generator<Finding> {
  const { results } = shaped(Document, document, where)
  if (results.version !== undefined) noteVersion(String(results.version), where)
  for (const { label, raw, provider, metrics } of results.prompts ?? [])
    if (typeof metrics?.testPassCount === 'number')
      yield {
        stated: {
          where,
          agent: label ?? raw ?? null,
          model: provider ?? null,
          what: 'passed',
          value: metrics.testPassCount,
        },
      }
}

const Document = z.looseObject({
  results: z.looseObject({
    version: z.number().optional(),
    prompts: z
      .array(
        z.looseObject({
          label: z.string().nullish(),
          raw: z.string().nullish(),
          provider: z.string().nullish(),
          metrics: z.looseObject({ testPassCount: z.number().nullish() }).nullish(),
        }),
      )
      .nullish(),
  }),
})

function trialOf(value: unknown, where: string): Finding {
  const result = shaped(Result, value, where)
  const { provider, prompt, testCase, response } = result
  const usage = response?.tokenUsage ?? result.tokenUsage
  // A reply from the cache, or of a provider that counts nothing, states 0.
  const isCounted = response?.cached !== true && (usage?.total ?? 0) > 0
  const vars = result.vars ?? testCase.vars ?? {}
  return {
    trial: {
      ...{ where, ...(result.id && { id: result.id }) },
      ...{ agent: prompt.label ?? prompt.raw ?? null, model: nameOf(provider) },
      ...{ suite: 'promptfoo', task: words(testCase.description) ?? JSON.stringify(vars).slice(0, 80) },
      content: JSON.stringify([vars, testCase.assert ?? []]),
      ...gradeOfResult(result),
      tokens: {
        input: isCounted ? amount(usage?.prompt) : null,
        output: isCounted ? amount(usage?.completion) : null,
        cached: null,
      },
      ...(typeof provider !== 'string' &&
        isCounted && {
          // A label is no model, which is in the id.
          uses: [
            {
              model: provider.id,
              tokens: { input: amount(usage?.prompt), output: amount(usage?.completion), cached: null },
            },
          ],
        }),
      costUsd: isCounted && amount(result.cost) !== 0 ? amount(result.cost) : null,
      calls: amount(usage?.numRequests) || null,
      durationMs: response?.cached === true ? null : amount(result.latencyMs),
      ...(typeof response?.output === 'string' && {
        answer: response.output,
        ...(result.failureReason !== 2 && {
          reply: {
            text: response.output,
            prompt: words(prompt.raw) ?? undefined,
            finish: response.finishReason ?? undefined,
          },
        }),
      }),
    },
  }
}

const nameOf = (provider: Result['provider']) =>
  typeof provider === 'string' ? provider : (words(provider.label) ?? provider.id)

/** The failure reason 2 is an error of the provider; a test without an assertion passes whatever comes. */
function gradeOfResult({ success, failureReason, error, testCase, score }: Result): Grade {
  if (failureReason === 2) return { state: 'error', reason: error ?? 'the provider failed', score: null }
  if ((testCase.assert ?? []).length === 0)
    return { state: 'not graded', reason: 'its test has no assertion', score: null }
  return {
    ...gradeOf(success),
    score: score !== null && score !== undefined && score >= 0 && score <= 1 ? score : null,
    reason: success ? '' : (error ?? ''),
  }
}
