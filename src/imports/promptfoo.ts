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

/** What says in which column of the table of results a result stands. */
const Column = z.looseObject({
  promptIdx: z.number().nullish(),
  provider: Provider,
  prompt: z.looseObject({ label: z.string().nullish(), raw: z.string().nullish() }),
})

const Result = z.looseObject({
  ...Column.shape,
  id: z.string().nullish(),
  success: z.boolean(),
  failureReason: z.number().nullish(),
  error: z.string().nullish(),
  score: z.number().nullish(),
  cost: z.number().nullish(),
  latencyMs: z.number().nullish(),
  testCase: z.looseObject({
    description: z.string().nullish(),
    assert: z.array(z.unknown()).nullish(),
    vars: z.record(z.string(), z.unknown()).nullish(),
  }),
  vars: z.record(z.string(), z.unknown()).nullish(),
  gradingResult: z.unknown().optional(),
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
    const nameOfRow = await rowNames(path)
    for await (const part of readResults(path)) {
      if ('rest' in part) yield* totals(part.rest, path, { noteVersion, nameOfRow })
      else yield await readResult(part.where, () => trialOf(part.read(), part.where, nameOfRow))
    }
  },
}

type ResultPart = { where: string; read: () => unknown } | { rest: Record<string, unknown> }

/** Reads the results of a file, one at a time, and then the rest of a document. */
async function* readResults(path: string): AsyncGenerator<ResultPart> {
  if (/\.jsonl(\.gz)?$/.test(path)) {
    for await (const { number, text } of readLines(path, longestFile)) {
      const where = `${path}:${number}`
      if (text.trim() !== '') yield { where, read: () => parseJson(text, where) }
    }
    return
  }
  for await (const part of readParts(path, ['results.results'])) {
    if (part.list === undefined) yield part
    else yield { where: `${path}:results.results[${part.index}]`, read: () => part.value }
  }
}

/** Returns the name of a prompt as what tries. */
type RowNames = (
  agent: string | null,
  model: string | null,
  column: number | null | undefined,
) => string | null

/**
 * Reads which columns a file has, and returns their names: where several have one prompt and one provider, such as one provider with several
 * settings, those behind the first have their number.
 */
async function rowNames(path: string): Promise<RowNames> {
  const columns = new Map<string, Set<number>>()
  for await (const part of readResults(path)) {
    if ('rest' in part) continue
    // What cannot be read is told when its trial is read.
    const result = await readResult(part.where, () => shaped(Column, part.read(), part.where))
    if ('broken' in result) continue
    const key = JSON.stringify([agentOf(result), nameOf(result.provider)])
    const of = columns.get(key) ?? new Set()
    if (typeof result.promptIdx === 'number') columns.set(key, of.add(result.promptIdx))
  }
  return (agent, model, column) => {
    const all = [...(columns.get(JSON.stringify([agent, model])) ?? [])].toSorted((a, b) => a - b)
    const at = typeof column === 'number' ? all.indexOf(column) : 0
    return at < 1 ? agent : `${agent ?? 'prompt'}-${at + 1}`
  }
}

function* totals(
  document: Record<string, unknown>,
  where: string,
  { noteVersion, nameOfRow }: Pick<ImportOptions, 'noteVersion'> & { nameOfRow: RowNames },
): Generator<Finding> {
  const { results } = shaped(Document, document, where)
  if (results.version !== undefined) noteVersion(String(results.version), where)
  for (const [at, { label, raw, provider, metrics }] of (results.prompts ?? []).entries())
    if (typeof metrics?.testPassCount === 'number')
      yield {
        stated: {
          where,
          agent: nameOfRow(label ?? raw ?? null, provider ?? null, at),
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

function trialOf(value: unknown, where: string, nameOfRow: RowNames): Finding {
  const result = shaped(Result, value, where)
  const { provider, prompt, testCase, response } = result
  const usage = response?.tokenUsage ?? result.tokenUsage
  // A reply from the cache, or of a provider that counts nothing, states 0.
  const isCounted = response?.cached !== true && (usage?.total ?? 0) > 0
  // A run adds variables of its own to those of the test, such as what was said before.
  const vars = testCase.vars ?? result.vars ?? {}
  const model = nameOf(provider)
  return {
    trial: {
      ...{ where, ...(result.id && { id: result.id }) },
      ...{ agent: nameOfRow(agentOf(result), model, result.promptIdx), model },
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
      // A cost of 0 is that of a provider without prices.
      costUsd: response?.cached === true ? null : amount(result.cost) || null,
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

const agentOf = ({ prompt }: z.infer<typeof Column>) => prompt.label ?? prompt.raw ?? null

const nameOf = (provider: Result['provider']) =>
  typeof provider === 'string' ? provider : (words(provider.label) ?? provider.id)

/** The failure reason 2 is an error of the provider, as is what older versions give without a reason and ungraded. A test without an assertion passes whatever comes. */
function gradeOfResult(result: Result): Grade {
  const { success, failureReason, error, testCase, score, gradingResult } = result
  const isUngraded = !success && error && (failureReason ?? 0) === 0 && !gradingResult
  if (failureReason === 2 || isUngraded)
    return { state: 'error', reason: error ?? 'the provider failed', score: null }
  if ((testCase.assert ?? []).length === 0)
    return { state: 'not graded', reason: 'its test has no assertion', score: null }
  return {
    ...gradeOf(success),
    score: score !== null && score !== undefined && score >= 0 && score <= 1 ? score : null,
    reason: success ? '' : (error ?? ''),
  }
}
