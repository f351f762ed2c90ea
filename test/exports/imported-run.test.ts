import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openRun } from '../../src/commands/open/open-run.ts'
import runs from '../../src/commands/runs.ts'
import { exported } from '../helpers/exports/export-run.ts'
import { foreignFiles, importRun } from '../helpers/imports/import-run.ts'
import { inspectHeader, inspectSample } from '../helpers/imports/inspect-log.ts'

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.jsonl?$/.test(name))
const textOf = (folder: string) =>
  filesOf(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')

const table = (rows: string) =>
  importRun([
    'per-instance',
    `${foreignFiles({ 't.csv': `task,passed,model,input_tokens,output_tokens,cached_tokens\n${rows}` })}/t.csv`,
  ])

it('cached tokens that a source does not state are in no export, and others are', async () => {
  const run = await table('a,1,m,10,2,\nb,1,m,10,2,4\n')
  expect(run.records.map(({ spent }) => spent.unreportedCached)).toEqual([1, undefined])
  const aggregate = textOf((await exported(run.out, { format: 'every-eval-ever' })).out)
  expect(aggregate.match(/"input_tokens_cache_read":\d+/g)).toEqual(['"input_tokens_cache_read":4'])
  const job = textOf((await exported(run.out, { format: 'atif' })).out)
  expect(job.match(/"(n_cache_tokens|total_cached_tokens)": \S+/g)?.toSorted()).toEqual([
    '"n_cache_tokens": 4,',
    '"n_cache_tokens": null,',
    '"total_cached_tokens": 4,',
  ])
})

it.each([
  ['ollama/qwen2.5:0.5b', 'ollama', 'qwen2.5:0.5b'],
  ['openai/gpt-4o', 'openai', 'gpt-4o'],
  ['gpt-4o', undefined, 'gpt-4o'],
])(
  'the model %s of another harness keeps its name, and its calls have no known time',
  async (name, provider, model) => {
    const sample = {
      ...inspectSample(1, { value: 'C' }),
      messages: [
        { role: 'user', content: 'What is 1 + 1?' },
        { role: 'assistant', content: '2' },
      ],
    }
    const header = inspectHeader()
    const log = { ...header, eval: { ...(header as { eval: object }).eval, model: name }, samples: [sample] }
    const run = await importRun([`${foreignFiles({ 'a.json': log })}/a.json`])
    const { out: traces, said } = await exported(run.out, { format: 'otlp' })
    expect(said).not.toContain('sessions.jsonl')
    const lines = readFileSync(traces, 'utf8')
    const spans = JSON.parse(lines).resourceSpans[0].scopeSpans[0].spans
    const call = spans.find((span: { name: string }) => span.name.startsWith('chat'))
    const attributes = Object.fromEntries(
      call.attributes.map(({ key, value }: { key: string; value: object }) => [key, Object.values(value)[0]]),
    )
    expect(attributes['gen_ai.provider.name']).toBe(provider)
    expect(attributes['gen_ai.request.model']).toBe(model)
    expect(attributes['bench.duration_unknown']).toBe(true)
    const job = textOf((await exported(run.out, { format: 'atif' })).out)
    expect([...new Set(job.match(/"model_name": ".*"/g))]).toEqual([`"model_name": "${name}"`])
  },
)

it('a trial that a limit ended without a verdict comes back from ATIF as it was', async () => {
  const trial = {
    ...{ id: 'a', task_name: 'a', trial_name: 'a', source: 'own', agent_info: { name: 'x' } },
    exception_info: { exception_type: 'AgentTimeoutError', exception_message: 'too slow' },
  }
  const first = await importRun([foreignFiles({ 'job/a/result.json': trial })])
  const second = await importRun([(await exported(first.out, { format: 'atif' })).out])
  const outcomes = [first, second].map(({ records }) => records.map(({ outcome }) => outcome.status))
  expect(outcomes).toEqual([['limited'], ['limited']])
})

it('an import is listed as one, and its export says which trials were not run', async () => {
  const header = inspectHeader({ sampleIds: [1, 2] })
  const log = { ...header, samples: [inspectSample(1, { value: 'C' })] }
  const { out } = await importRun([`${foreignFiles({ 'a.json': log })}/a.json`])
  const { said } = await exported(out, { format: 'atif' })
  expect(said).toContain('1 of 2 trials were run at their source; the others are not exported')
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await runs(dirname(out), {})
    expect(write.mock.calls.join('')).toContain('/run  imported  1/2 trials')
  } finally {
    write.mockRestore()
  }
})

it('an import that has lost records is refused by all commands that read it', async () => {
  const { out } = await table('a,1,m,,,\nb,0,m,,,\n')
  const path = join(out, 'records.jsonl')
  const text = readFileSync(path, 'utf8')
  expect(openRun(out).manifest.trials).toBe(2)
  for (const part of [text.slice(0, text.indexOf('\n') + 1), text.slice(0, -10), text.slice(0, 20)]) {
    writeFileSync(path, part)
    expect(() => openRun(out)).toThrow(/records\.jsonl\] has lost records: it has [01], but 2 were imported/)
  }
})
