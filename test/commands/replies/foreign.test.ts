import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import importReplies from '../../../src/commands/replies/import.ts'
import { foreignFiles } from '../../helpers/imports/import-run.ts'
import { inspectHeader } from '../../helpers/imports/inspect-log.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const questions = ['What is 2 + 2?', 'What is 3 + 3?']
const files = (more: Record<string, unknown>) =>
  foreignFiles({
    'tasks.jsonl': questions.map((question, i) => ({ question, answer: `#### ${2 * i + 4}` })),
    ...more,
  })

/** Imports a file with replies to the two questions. Returns the replies that were written. */
async function replies(folder: string, file: string, options: object = {}): Promise<unknown[]> {
  const out = join(tempFolder(), 'replies.jsonl')
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
  const origin = { model: 'm', source: 'own', licence: 'MIT', date: '2026' }
  try {
    await importReplies([join(folder, file)], {
      ...{ out, tasks: `gsm8k:${join(folder, 'tasks.jsonl')}`, ...origin, ...options },
    })
  } finally {
    stderr.mockRestore()
  }
  const [, ...lines] = readFileSync(out, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

const sample = (id: number, epoch: number, more: object = {}) => ({
  ...{ id, epoch, input: questions[id], target: '', scores: {} },
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: `Question: ${questions[id]}` },
    { role: 'assistant', content: 'Four.' },
  ],
  output: { completion: `It is ${2 * id + 4}.`, choices: [{ stop_reason: 'max_tokens' }] },
  model_usage: { m: { input_tokens: 10, output_tokens: 5, total_tokens: 15, input_tokens_cache_read: 4 } },
  ...more,
})

it('replies of Inspect AI have the name of their task, their tokens and why they ended; conversations and errors give none', async () => {
  const tool = { role: 'tool', content: 'x', tool_call_id: 't' }
  const samples = [
    sample(0, 1),
    sample(0, 2),
    sample(1, 1, {
      messages: [{ role: 'user', content: questions[1] }, { role: 'assistant', content: '' }, tool],
    }),
    sample(1, 2, { error: { message: 'gone' } }),
  ]
  const folder = files({ 'a.json': { ...inspectHeader(), samples } })
  const tokens = { input: 10, output: 5, cached: 4 }
  expect(await replies(folder, 'a.json')).toEqual([
    { task: 'gsm8k/tasks-1', sample: 1, reply: 'It is 4.', tokens, finish: 'length' },
    { task: 'gsm8k/tasks-1', sample: 2, reply: 'It is 4.', tokens, finish: 'length' },
  ])
})

it('replies of promptfoo are those of one prompt, and repeats are samples', async () => {
  const result = (question: number, prompt: string, output: unknown, more: object = {}) => ({
    ...{ promptIdx: 0, testIdx: 0, success: true, failureReason: 0, provider: { id: 'm' }, ...more },
    prompt: { label: prompt, raw: `Answer. ${questions[question]}` },
    testCase: { vars: { q: question }, assert: [] },
    response: { output, tokenUsage: { total: 12, prompt: 10, completion: 2 } },
  })
  const results = [
    result(0, 'plain', 'four'),
    result(0, 'plain', '4'),
    result(1, 'plain', 'six'),
    result(1, 'careful', '6'),
    result(1, 'plain', 'lost', { failureReason: 2 }),
    result(1, 'plain', { a: 1 }),
  ]
  const folder = files({ 'out.json': { evalId: 'e', results: { version: 3, results } } })
  await expect(replies(folder, 'out.json')).rejects.toThrow(
    /several prompts or agents: plain, careful.*--agent plain/s,
  )
  await expect(replies(folder, 'out.json', { agent: 'plan' })).rejects.toThrow(
    /--agent plan.*gave no reply.*plain/s,
  )
  expect(await replies(folder, 'out.json', { agent: 'plain' })).toMatchObject([
    { task: 'gsm8k/tasks-1', sample: 1, reply: 'four', tokens: { input: 10, output: 2 } },
    { task: 'gsm8k/tasks-1', sample: 2, reply: '4' },
    { task: 'gsm8k/tasks-2', sample: 1, reply: 'six' },
  ])
})

it('replies of lm-evaluation-harness are texts as the model wrote them, not as a filter read them; likelihoods give none', async () => {
  const document = (id: number, given: unknown, resps: unknown) => ({
    ...{ doc_id: id, doc_hash: `h${id}`, filter: 'none', metrics: ['acc'], acc: 1 },
    ...{ arguments: given, resps, filtered_resps: ['read'] },
  })
  const folder = files({
    'samples_sums_2026-01-21T03-44-18.458309.jsonl': [
      document(0, { gen_args_0: { arg_0: `Q: ${questions[0]}\nA:`, arg_1: {} } }, [['It is 4.']]),
      document(1, [[`Q: ${questions[1]}\nA:`, {}]], [['It is 6.']]),
      document(2, [[`Q: ${questions[1]}`, ' 6']], [[[-1.5, false]]]),
    ],
  })
  expect(await replies(folder, 'samples_sums_2026-01-21T03-44-18.458309.jsonl')).toEqual([
    { task: 'gsm8k/tasks-1', sample: 1, reply: 'It is 4.', tokens: { input: null, output: null } },
    { task: 'gsm8k/tasks-2', sample: 1, reply: 'It is 6.', tokens: { input: null, output: null } },
  ])
})

it('replies of Every Eval Ever are those of single turns', async () => {
  const instance = (id: number, type: string) => ({
    ...{
      schema_version: '0.3.0',
      evaluation_id: 'e',
      model_id: 'm',
      evaluation_name: 'demo',
      sample_id: `s${id}`,
    },
    ...{ interaction_type: type, input: { raw: questions[id], reference: [] }, output: { raw: ['It is.'] } },
    ...{ evaluation: { score: 1, is_correct: true }, token_usage: { input_tokens: 7, output_tokens: 3 } },
  })
  const folder = files({ 'x_samples.jsonl': [instance(0, 'single_turn'), instance(1, 'agentic')] })
  expect(await replies(folder, 'x_samples.jsonl')).toEqual([
    { task: 'gsm8k/tasks-1', sample: 1, reply: 'It is.', tokens: { input: 7, output: 3 } },
  ])
})
