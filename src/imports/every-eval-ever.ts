import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { readLines } from '../suites/files/read-lines.ts'
import { isObject } from '../text/is-object.ts'
import {
  amount,
  type Finding,
  type Grade,
  gradeOf,
  type Importer,
  readResult,
  words,
} from './foreign-trial.ts'
import { fieldsOfMarks, simulatedProblem } from './own-marks.ts'
import { longestFile, parseJson, readWhole, shaped } from './read-document.ts'

const Instance = z.looseObject({
  schema_version: z.string(),
  evaluation_id: z.string(),
  model_id: z.string(),
  evaluation_name: z.string(),
  sample_id: z.string(),
  sample_hash: z.string().nullish(),
  interaction_type: z.string().nullish(),
  input: z.looseObject({
    raw: z.string().nullish(),
    formatted: z.string().nullish(),
    reference: z.unknown().optional(),
  }),
  output: z.looseObject({ raw: z.array(z.string()).nullish() }).nullish(),
  answer_attribution: z
    .array(z.looseObject({ extracted_value: z.string(), is_terminal: z.boolean() }))
    .nullish()
    .catch(undefined),
  evaluation: z.looseObject({ score: z.number().nullish(), is_correct: z.boolean().nullish() }),
  token_usage: z
    .looseObject({
      input_tokens: z.number().nullish(),
      output_tokens: z.number().nullish(),
      input_tokens_cache_read: z.number().nullish(),
    })
    .nullish(),
  performance: z.looseObject({ latency_ms: z.number().nullish() }).nullish(),
  error: z.string().nullish(),
  metadata: z.unknown().optional(),
})
type Instance = z.infer<typeof Instance>

/** Instances of Every Eval Ever, of version 0.3: `*_samples.jsonl`, and the aggregate beside them for totals. */
export const everyEvalEver: Importer = {
  title: 'Every Eval Ever',
  wanted: 'a file of instances, NAME_samples.jsonl',
  tested: ['0.3'],
  async *read(path, { noteVersion }) {
    const seen = new Set<string>()
    for await (const { number, text } of readLines(path, longestFile)) {
      if (text.trim() === '') continue
      const where = `${path}:${number}`
      yield await readResult(where, () => {
        const instance = shaped(Instance, parseJson(text, where), where)
        noteVersion(instance.schema_version, where)
        const finding = trialOf(instance, where)
        const { agent } = 'trial' in finding ? finding.trial : { agent: null }
        const { evaluation_id: id, evaluation_name: name, model_id: model } = instance
        seen.add(JSON.stringify([id, name, { agent, model }]))
        return finding
      })
    }
    yield* totals(
      path,
      [...seen].map((one) => JSON.parse(one)),
    )
  },
}

function trialOf(instance: Instance, where: string): Finding {
  const { input, output, token_usage: usage, performance, metadata } = instance
  const final = instance.answer_attribution?.find((one) => one.is_terminal)
  const marks = fieldsOfMarks(metadata)
  // Bench says what was handed in; of others, the reply is.
  const reply = marks.agent === undefined ? output?.raw?.[0] : undefined
  const answer = final?.extracted_value ?? reply
  return (
    simulatedProblem(metadata, where) ?? {
      trial: {
        ...{ where, agent: null, model: instance.model_id },
        ...{ suite: instance.evaluation_name, task: instance.sample_id },
        content: words(instance.sample_hash) ?? JSON.stringify([input.raw, input.reference]),
        ...gradeOfInstance(instance),
        tokens: {
          input: amount(usage?.input_tokens),
          output: amount(usage?.output_tokens),
          cached: amount(usage?.input_tokens_cache_read),
        },
        ...{ costUsd: null, calls: null, durationMs: amount(performance?.latency_ms) },
        ...(answer !== undefined && { answer }),
        ...replyOf(instance),
        ...marks,
      },
    }
  )
}

/** A recorded agent gives it for this prompt. */
const replyOf = ({ input, output, interaction_type: type }: Instance) =>
  output?.raw?.length === 1 &&
  type === 'single_turn' && {
    reply: {
      text: output.raw[0] as string,
      prompt: words(input.formatted) ?? words(input.raw) ?? undefined,
    },
  }

function gradeOfInstance({ evaluation: { score, is_correct: isCorrect }, error }: Instance): Grade {
  if (isCorrect === null || isCorrect === undefined)
    return error ? { state: 'error', reason: error, score: null } : gradeOf(score)
  const share = score !== null && score !== undefined && score >= 0 && score <= 1 ? score : null
  return { ...gradeOf(isCorrect), score: share, reason: error ?? '' }
}

/** Reads the totals of the aggregate of these instances, if it stands in their folder. */
async function* totals(
  path: string,
  evaluations: readonly [id: string, name: string, row: { agent: string | null; model: string }][],
): AsyncGenerator<Finding> {
  const folder = dirname(path)
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  for (const name of names) {
    const where = join(folder, name)
    if (!lstatSync(where, { throwIfNoEntry: false })?.isFile()) continue
    const text = await readWhole(where)
    // What is no aggregate has nothing to say here, broken or not.
    if (!text.includes('"evaluation_results"')) continue
    const document = parseJson(text, where)
    if (!isObject(document) || !Array.isArray(document.evaluation_results)) continue
    for (const [id, evaluation, row] of evaluations) {
      if (document.evaluation_id !== id) continue
      const result = document.evaluation_results.find(
        (one) => isObject(one) && one.evaluation_name === evaluation,
      )
      const score =
        isObject(result) && isObject(result.score_details) ? result.score_details.score : undefined
      if (typeof score === 'number') yield { stated: { where, ...row, what: 'success rate', value: score } }
    }
  }
}
