import { createHash } from 'node:crypto'
import { marksOf } from '../imports/own-marks.ts'
import { orderSteps } from '../reports/story/story-order.ts'
import type { TrialRecord } from '../schema/ledger/record.ts'
import { taskId } from '../suites/make-task.ts'
import {
  commonFields,
  type ExportedRun,
  type ExportedTrial,
  type Exporter,
  type FilePart,
  hasNewPrompt,
  knownTokens,
  modelOf,
  rowOf,
  toolArguments,
  uuidOf,
} from './exported-trial.ts'

const schemaVersion = '0.3.0'
const library = 'orchestration-bench'

/** What is known of a row while its trials are written. */
interface Row {
  /** The path of its files, without their endings. */
  path: string
  evaluationId: string
  model: string
  samples: number
  checksum: ReturnType<typeof createHash>
  /** By suite: how many trials are graded, passed, and have no verdict. */
  suites: Map<string, { graded: number; passed: number; ungraded: number }>
}

/** Files of Every Eval Ever: for each row an aggregate, and the trials beside it as instances. */
export const everyEvalEver: Exporter = {
  summary: 'an aggregate (JSON) and samples (JSONL) for each row',
  out: 'folder',
  readsTasks: true,
  shared: { ...commonFields, answer: ({ answer }) => answer },
  begin(run) {
    const rows = new Map<string, Row>()
    const leftOut = new Map<string, number>()
    const digests = new Map(run.manifest.tasks.map((task) => [task.ref, task.digest]))
    return {
      *add(trial): Generator<FilePart> {
        const { record } = trial
        const row = rows.get(rowKey(record)) ?? beginRow(record, run)
        rows.set(rowKey(record), row)
        const counts = row.suites.get(record.suite) ?? { graded: 0, passed: 0, ungraded: 0 }
        row.suites.set(record.suite, counts)
        if (record.passed === null) {
          counts.ungraded++
          leftOut.set(noVerdict, (leftOut.get(noVerdict) ?? 0) + 1)
          return
        }
        counts.graded++
        if (record.passed) counts.passed++
        row.samples++
        const line = `${run.clean(JSON.stringify(instanceOf(trial, row, run, digests.get(record.task))))}\n`
        row.checksum.update(line)
        yield { path: `${row.path}_samples.jsonl`, text: line }
      },
      end: () =>
        [...rows.values()]
          .filter(({ samples }) => samples > 0)
          .map((row) => ({
            path: `${row.path}.json`,
            text: `${JSON.stringify(aggregateOf(row, run), null, 2)}\n`,
          })),
      leftOut,
    }
  },
}

const noVerdict = 'no verdict, for which this format has no place'

const rowKey = (record: TrialRecord) => JSON.stringify([rowOf(record), modelOf(record)])

function beginRow(record: TrialRecord, { manifest }: ExportedRun): Row {
  const model = modelOf(record) ?? 'unknown'
  const [developer = '', ...name] = model.split('/')
  const folders = name.length > 0 ? [developer, name.join('-')] : ['unknown', model]
  const path = ['data', library, ...folders.map((part) => taskId(part) || 'unknown')].join('/')
  return {
    path: `${path}/${uuidOf(`${manifest.id} ${rowKey(record)}`)}`,
    evaluationId: `${library}.${rowOf(record)}/${model}/${seconds(manifest.createdAt)}`,
    ...{ model, samples: 0, checksum: createHash('sha256'), suites: new Map() },
  }
}

const seconds = (time: string) => String(Math.floor(Date.parse(time) / 1000))

function instanceOf(trial: ExportedTrial, row: Row, run: ExportedRun, hash: string | undefined) {
  const { record, instruction, answer } = trial
  const { suite, task, passed, score, outcome, durationMs } = record
  const tokens = knownTokens(record)
  const messages = messagesOf(trial, run.manifest.capture?.prompts !== false)
  // A trial of one call is a question and its answer; others are conversations.
  const replies = messages.filter(({ role }) => role === 'assistant')
  const single = replies.length <= 1
  const reply = replies[0]?.content ?? answer
  return {
    ...{ schema_version: schemaVersion, evaluation_id: row.evaluationId, model_id: row.model },
    ...{ evaluation_name: suite, evaluation_result_id: resultId(suite) },
    ...{ sample_id: task.slice(suite.length + 1), sample_hash: hash ?? null },
    interaction_type: single ? 'single_turn' : 'agentic',
    // The right answers are in no file of a run.
    input: { raw: instruction ?? '', reference: [] },
    output: single ? { raw: reply === undefined ? [] : [reply] } : null,
    messages: single ? null : messages,
    answer_attribution:
      answer === undefined ? [] : [attributionOf(answer, single ? undefined : messages.length - 1)],
    evaluation: {
      score: score ?? (passed ? 1 : 0),
      is_correct: passed === true,
      ...(!single && {
        num_turns: replies.length,
        tool_calls_count: messages.filter(({ role }) => role === 'tool').length,
      }),
    },
    token_usage: tokens && {
      ...{ input_tokens: tokens.input, output_tokens: tokens.output },
      ...{ total_tokens: tokens.input + tokens.output, input_tokens_cache_read: tokens.cached },
    },
    ...(durationMs !== null && { performance: { latency_ms: durationMs } }),
    error: outcome.status === 'completed' ? null : outcome.reason || outcome.status,
    metadata: { ...marksOf(record, rowOf(record)), bench_trial: record.trial },
  }
}

const resultId = (suite: string) => `${suite}/success`

function attributionOf(answer: string, turn: number | undefined) {
  return {
    ...{ turn_idx: turn ?? 0, source: turn === undefined ? 'output.raw' : 'messages' },
    ...{ extracted_value: answer, extraction_method: 'custom', is_terminal: true },
  }
}

function aggregateOf(row: Row, { manifest }: ExportedRun) {
  const ofProfile = manifest.simulated ? { bench_simulated: 'true' } : {}
  return {
    ...{ schema_version: schemaVersion, evaluation_id: row.evaluationId },
    ...{
      evaluation_timestamp: seconds(manifest.createdAt),
      retrieved_timestamp: seconds(manifest.createdAt),
    },
    source_metadata: {
      ...{ source_name: library, source_type: 'evaluation_run', source_organization_name: 'unknown' },
      ...{ evaluator_relationship: 'other', additional_details: { bench_run: manifest.id, ...ofProfile } },
    },
    eval_library: { name: library, version: manifest.versions.bench },
    model_info: {
      ...{ name: row.model, id: row.model },
      additional_details: { deployment_type: 'unknown', model_availability: 'unknown' },
    },
    evaluation_results: [...row.suites].flatMap(([suite, counts]) =>
      counts.graded === 0 ? [] : [resultOf(suite, counts)],
    ),
    detailed_evaluation_results: {
      ...{ format: 'jsonl', file_path: `${row.path}_samples.jsonl`, hash_algorithm: 'sha256' },
      ...{ checksum: row.checksum.digest('hex'), total_rows: row.samples },
    },
  }
}

function resultOf(
  suite: string,
  { graded, passed, ungraded }: { graded: number; passed: number; ungraded: number },
) {
  return {
    ...{ evaluation_result_id: resultId(suite), evaluation_name: suite },
    source_data: { dataset_name: suite, source_type: 'other' },
    metric_config: {
      ...{ metric_id: 'success_rate', metric_name: 'Success rate', metric_kind: 'pass_rate' },
      ...{ metric_unit: 'proportion', lower_is_better: false },
      ...{ score_type: 'continuous', min_score: 0, max_score: 1 },
      evaluation_description: 'Trials that passed, of those with a verdict.',
    },
    score_details: {
      score: passed / graded,
      details: { trials_without_a_verdict: String(ungraded) },
      uncertainty: { num_samples: graded },
    },
  }
}

/** A message of a transcript of Every Eval Ever. */
interface Message {
  turn_idx: number
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string | null
  tool_calls?: { id: string; name: string; arguments: Record<string, string> | null }[]
  tool_call_id?: string[]
}

/** Returns the prompts, replies and results of tools of a trial's method, in the order of its clock. `showsPrompts`: else prompts and results of tools are left out. */
function messagesOf({ steps }: ExportedTrial, showsPrompts: boolean): Message[] {
  const messages = orderSteps(steps).flatMap(({ step }): Omit<Message, 'turn_idx'>[] => {
    if (step.kind === 'tool')
      return [{ role: 'tool', content: showsPrompts ? step.result : null, tool_call_id: [step.call.id] }]
    if (step.kind !== 'ask' || step.payer !== 'method') return []
    const calls = step.toolCalls?.map(({ id, name, arguments: given }) => ({
      ...{ id, name, arguments: argumentsOf(given) },
    }))
    const shown = showsPrompts && hasNewPrompt(step)
    return [
      ...(shown && step.system !== undefined ? [{ role: 'system' as const, content: step.system }] : []),
      ...(shown ? [{ role: 'user' as const, content: step.prompt }] : []),
      { role: 'assistant', content: step.reply ?? null, ...(calls && { tool_calls: calls }) },
    ]
  })
  return messages.map((message, turn) => ({ turn_idx: turn, ...message }))
}

/** The format takes texts alone as arguments; null: what the model wrote is no object. */
function argumentsOf(text: string): Record<string, string> | null {
  const given = toolArguments(text)
  if (!given) return null
  return Object.fromEntries(
    Object.entries(given).map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  )
}
