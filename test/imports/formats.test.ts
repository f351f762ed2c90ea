import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reportRun } from '../../src/commands/report/report-run.ts'
import { foreignFiles, importRun, inShort } from '../helpers/imports/import-run.ts'
import { inspectHeader, inspectSample } from '../helpers/imports/inspect-log.ts'
import { zipOf } from '../helpers/imports/zip.ts'
import { root } from '../helpers/runs/cli.ts'

const log = (samples: object[], header: object = {}) =>
  zipOf([
    { name: 'header.json', data: JSON.stringify({ ...inspectHeader(), ...header }) },
    ...samples.map((sample, i) => ({ name: `samples/${i + 1}_epoch_1.json`, data: JSON.stringify(sample) })),
  ])

describe('Inspect AI', () => {
  it('gives verdicts by letters and numbers; what has no score is not graded, and what broke is an error', async () => {
    const samples = [
      inspectSample(1, { value: 'C' }),
      inspectSample(2, { value: 'I' }),
      inspectSample(3, { value: 'P' }),
      inspectSample(4, { value: 0.25 }),
      inspectSample(5, { value: { a: 1, b: 0 } }),
      { ...inspectSample(6), scores: {} },
      { ...inspectSample(7), scores: null, error: { message: 'the server was gone' } },
      { ...inspectSample(8, { value: 'C' }), limit: { type: 'message', limit: 50 } },
    ]
    const folder = foreignFiles({ 'a.eval': log(samples) })
    expect(inShort(await importRun([`${folder}/a.eval`]))).toMatchSnapshot()
  })

  it('reads the same from an archive and from JSON', async () => {
    const samples = [inspectSample(1, { value: 'C' }), inspectSample(2, { value: 'I' })]
    const folder = foreignFiles({ 'a.eval': log(samples), 'a.json': { ...inspectHeader(), samples } })
    const [zipped, plain] = [await importRun([`${folder}/a.eval`]), await importRun([`${folder}/a.json`])]
    expect(inShort(zipped)).toEqual(inShort(plain))
    expect(zipped.manifest.tasks).toEqual(plain.manifest.tasks)
  })

  it('reads entries in Zstandard', async () => {
    const { input, target } = inspectSample(1)
    const sample = { id: 1, epoch: 1, input, target, scores: { match: { value: 'C' } } }
    const archive = zipOf([
      { name: 'header.json', data: JSON.stringify(inspectHeader()) },
      { name: 'samples/1_epoch_1.json', data: JSON.stringify(sample), method: 93 },
    ])
    const folder = foreignFiles({ 'a.eval': archive })
    expect(inShort(await importRun([`${folder}/a.eval`]))).toEqual([
      'sums/1 generate 1, completed, passed, score 1, unknown tokens, unknown USD, unknown ms',
    ])
  })

  it('counts samples that were planned and are not in a log that was cut off as not run', async () => {
    const header = inspectHeader({ sampleIds: [1, 2, 3], epochs: 2 })
    const folder = foreignFiles({
      'a.json': { ...header, status: 'cancelled', samples: [inspectSample(1, { value: 'C' })] },
    })
    const run = await importRun([folder])
    expect(run.manifest).toMatchObject({
      trials: 6,
      epochs: 2,
      imported: { rows: [{ passed: 1, notRun: 5 }] },
    })
    expect(run.said).toContain('generate: 5 not run')
  })

  it('adds cache reads to the input only where the source counts them beside it', async () => {
    const usage = (total: number) => ({
      m: {
        input_tokens: 10,
        output_tokens: 5,
        total_tokens: total,
        input_tokens_cache_read: 100,
        input_tokens_cache_write: 0,
      },
    })
    const samples = [115, 15].map((total, i) => ({
      ...inspectSample(i + 1, { value: 'C' }),
      model_usage: usage(total),
    }))
    const folder = foreignFiles({ 'a.json': { ...inspectHeader(), samples } })
    const { records } = await importRun([folder])
    expect(records.map(({ spent }) => spent.input)).toEqual([110, 10])
  })
})

describe('Terminal-Bench', () => {
  const trial = (task: string, run: string, resolved: boolean | null, more: object = {}) => ({
    ...{ id: `${task}-${run}`, trial_name: `${task}.1-of-1.${run}`, task_id: task, is_resolved: resolved },
    ...{
      failure_mode: 'unset',
      total_input_tokens: 0,
      total_output_tokens: 0,
      instruction: `Do ${task}.`,
      ...more,
    },
  })

  it('counts a trial once that is in the file of its run and in a folder of its own', async () => {
    const one = trial('tidy', 'r1', true, { failure_mode: 'agent_timeout' })
    const two = trial('mend', 'r1', null)
    const again = trial('tidy', 'r2', false)
    const run = await importRun([
      foreignFiles({
        'ada/r1/results.json': { results: [one, two], n_resolved: 1, accuracy: 0.5 },
        'ada/r1/tidy/tidy.1-of-1.r1/results.json': one,
        'ada/r1/mend/mend.1-of-1.r1/results.json': two,
        'ada/r2/results.json': { results: [again], n_resolved: 0, accuracy: 0.25 },
      }),
    ])
    expect(inShort(run)).toMatchSnapshot()
    expect(run.said.replaceAll(run.out, 'RUN')).toMatchSnapshot()
  })

  it('refuses a trial that is passed in one place and failed in another', async () => {
    const folder = foreignFiles({
      'ada/r1/results.json': { results: [trial('tidy', 'r1', true)] },
      'ada/r1/tidy/tidy.1-of-1.r1/results.json': trial('tidy', 'r1', false),
    })
    await expect(importRun([folder])).rejects.toThrow(
      /is the trial of .*passed.*failed|failed here and passed there/,
    )
  })
})

it('Harbor: a reward counts beside an exception, which without a reward is an error; several rewards need a choice', async () => {
  const trial = (name: string, rewards: object | null, exception: string | null) => ({
    ...{ id: name, task_name: `task-${name}`, trial_name: name, source: 'own', task_checksum: 'c1' },
    agent_info: { name: 'agent-x', model_info: { name: 'm', provider: 'v' } },
    agent_result: { n_input_tokens: 10, n_cache_tokens: 4, n_output_tokens: 2, cost_usd: 0.5 },
    verifier_result: rewards && { rewards },
    exception_info: exception && { exception_type: exception, exception_message: 'it broke' },
    ...{ started_at: '2026-01-01T00:00:00Z', finished_at: '2026-01-01T00:01:00Z' },
  })
  const folder = foreignFiles({
    'job/result.json': { n_total_trials: 6, stats: {} },
    'job/a/result.json': trial('a', { reward: 1 }, 'AgentTimeoutError'),
    'job/b/result.json': trial('b', null, 'DockerError'),
    'job/c/result.json': trial('c', { speed: 1, style: 0 }, null),
    'job/d/result.json': trial('d', { reward: 0.5 }, null),
  })
  const run = await importRun([folder])
  expect(inShort(run)).toMatchSnapshot()
  expect(run.manifest.imported?.differing).toMatchObject([{ row: '', what: 'trials', stated: 6, counted: 4 }])
  expect(inShort(await importRun([folder], { score: 'style' }))[2]).toContain('failed')
})

it('promptfoo: repeats of a test are epochs of one task, not further tasks', async () => {
  const result = (test: string, prompt: string, more: object) => ({
    ...{
      promptIdx: 0,
      testIdx: 0,
      success: true,
      failureReason: 0,
      latencyMs: 8,
      provider: { id: 'echo', label: '' },
    },
    ...{
      prompt: { label: prompt, raw: 'r' },
      testCase: { description: test, vars: { n: test }, assert: [{ type: 'contains' }] },
    },
    ...{ cost: 0, tokenUsage: { total: 0, prompt: 0, completion: 0 }, response: { output: 'x' }, ...more },
  })
  const counted = { tokenUsage: { total: 12, prompt: 10, completion: 2, numRequests: 1 }, cost: 0.25 }
  const results = [
    ...[
      result('one', 'plain', counted),
      result('one', 'plain', { success: false, failureReason: 1, error: 'no 2' }),
    ],
    ...[result('two', 'plain', { failureReason: 2, success: false, error: 'API error' })],
    result('one', 'careful', {}),
    result('two', 'careful', { testCase: { description: 'two', vars: { n: 'two' }, assert: [] } }),
  ]
  const prompts = [{ label: 'plain', provider: 'echo', metrics: { testPassCount: 3 } }]
  const folder = foreignFiles({ 'out.json': { evalId: 'e', results: { version: 3, prompts, results } } })
  const run = await importRun([folder])
  expect(inShort(run)).toMatchSnapshot()
  expect(run.manifest.imported?.differing).toMatchObject([{ row: 'plain', stated: 3, counted: 1 }])
})

describe('a file that promptfoo 0.123.1 wrote', () => {
  const file = (ending: string) => join(root, `fixtures/foreign/promptfoo-0.123.1.${ending}.gz`)

  it('has its own numbers: repeats, named metrics, errors, cached replies and tokens', async () => {
    const run = await importRun([file('json')], { price: true })
    expect(inShort(run)).toMatchSnapshot()
    expect(run.manifest.imported).toMatchObject({ versions: ['3'], differing: [] })
  })

  it('is the same as JSON and as JSONL', async () => {
    const [json, lines] = [await importRun([file('json')]), await importRun([file('jsonl')])]
    expect(inShort(lines)).toEqual(inShort(json))
    expect(lines.manifest.tasks).toEqual(json.manifest.tasks)
  })
})

describe('the version of a format', () => {
  const log = (version: unknown) => ({ ...inspectHeader(), version, samples: [inspectSample(1)] })

  it('is kept, and told if bench was not tried with it', async () => {
    const run = await importRun([foreignFiles({ 'a.json': log(3) })])
    expect(run.manifest.imported).toMatchObject({ versions: ['3'], untested: ['3'] })
    expect(run.said).toContain('bench was not tried with version 3 of Inspect AI, only with 2')
    const { methods } = await reportRun(run.out, run.manifest)
    expect(methods.notes.map(({ text }) => text).join()).toContain('Bench was not tried with version 3')
    const known = await importRun([foreignFiles({ 'a.json': log(2) })])
    expect(known.said).not.toContain('not tried')
  })

  it.each([-1, 1e99])('is refused if it is none: %s', async (version) => {
    const folder = foreignFiles({ 'a.json': log(version) })
    await expect(importRun([folder])).rejects.toThrow(
      /a\.json\].*states .* as the version.*Copy the file again/s,
    )
  })
})

describe('SWE-bench', () => {
  it('a report keeps errors, empty patches and failures apart, and says what it does not name', async () => {
    const report = {
      ...{ total_instances: 7, resolved_instances: 1, submitted_ids: ['a', 'b', 'c', 'd', 'e'] },
      ...{ resolved_ids: ['a'], unresolved_ids: ['b'], empty_patch_ids: ['c'], error_ids: ['d'] },
    }
    const run = await importRun([foreignFiles({ 'model-y.run-1.json': report })])
    expect(inShort(run)).toMatchSnapshot()
    expect(run.said).toContain('2 of 7 instances: the report does not name them')
  })

  it('a submission needs the list of all instances', async () => {
    const folder = foreignFiles({
      'sub-1/results/results.json': { resolved: ['a'], no_generation: ['b'], no_logs: ['c'] },
      'all.txt': 'a\nb\nc\nd\n',
    })
    await expect(importRun([`${folder}/sub-1`])).rejects.toThrow(/--task-list instances.txt/)
    const run = await importRun([`${folder}/sub-1`], { taskList: `${folder}/all.txt` })
    expect(inShort(run).map((line) => line.split(', ').slice(0, 3).join(', '))).toEqual([
      'swe-bench/a sub-1 1, completed, passed',
      'swe-bench/b sub-1 1, completed, failed',
      'swe-bench/c sub-1 1, completed, no verdict',
      'swe-bench/d sub-1 1, completed, failed',
    ])
  })
})

it('lm-evaluation-harness: a document is a task by its hash; a second filter of the same reply is no second trial', async () => {
  const sample = (id: number, hash: string, filter: string, score: number) => ({
    ...{
      doc_id: id,
      doc_hash: hash,
      filter,
      metrics: ['exact_match'],
      exact_match: score,
      filtered_resps: ['x'],
    },
  })
  const folder = foreignFiles({
    'samples_sums_2026-01-21T03-44-18.458309.jsonl': [
      ...[sample(0, 'h0', 'strict', 0), sample(0, 'h0', 'loose', 1), sample(1, 'h1', 'strict', 1)],
    ],
    'results_2026-01-21T03-44-18.458309.json': {
      ...{ model_name: 'm', results: { sums: { 'exact_match,strict': 0.5, 'exact_match,loose': 1 } } },
      versions: { sums: 2 },
    },
  })
  expect(inShort(await importRun([folder])).map((line) => line.split(', ')[2])).toEqual(['failed', 'passed'])
  const loose = await importRun([folder], { score: 'exact_match,loose' })
  expect(inShort(loose)).toHaveLength(1)
})

it('Every Eval Ever: an error without a verdict is no failure', async () => {
  const instance = (id: string, evaluation: object, more: object = {}) => ({
    ...{
      schema_version: '0.3.0',
      evaluation_id: 'e',
      model_id: 'o/m',
      evaluation_name: 'demo',
      sample_id: id,
    },
    ...{
      interaction_type: 'single_turn',
      input: { raw: 'q', reference: ['4'] },
      answer_attribution: [],
      evaluation,
      ...more,
    },
  })
  const folder = foreignFiles({
    'x_samples.jsonl': [
      instance('1', { score: 1, is_correct: true }, { token_usage: { input_tokens: 12, output_tokens: 5 } }),
      instance('2', { score: null, is_correct: null }, { error: 'timeout' }),
    ],
  })
  expect(inShort(await importRun([folder]))).toMatchSnapshot()
})

describe('a table', () => {
  it('is read as CSV and as lines, with columns that the user names', async () => {
    const rows = [
      { name: 'a', ok: 'true', who: 'x', dollars: 0.5 },
      { name: 'a', ok: 'false', who: 'y', dollars: '' },
      { name: 'b', ok: '', who: 'x', dollars: 1 },
    ]
    const csv = ['name,ok,who,dollars', ...rows.map((row) => Object.values(row).join(','))].join('\n')
    const folder = foreignFiles({ 't.csv': csv, 't.jsonl': rows })
    const options = { columns: 'task=name,passed=ok,method=who,cost=dollars' }
    const [first, second] = [
      await importRun(['per-instance', `${folder}/t.csv`], options),
      await importRun(['per-instance', `${folder}/t.jsonl`], options),
    ]
    expect(inShort(first)).toMatchSnapshot()
    expect(inShort(second)).toEqual(inShort(first))
  })

  it('without a column for the verdict is refused with its columns', async () => {
    const folder = foreignFiles({ 't.csv': 'task_id,outcome\na,1\n' })
    await expect(importRun(['per-instance', `${folder}/t.csv`])).rejects.toThrow(
      /has no column for the verdict.*--columns passed=COLUMN.*task_id, outcome/s,
    )
  })

  const imported = async (file: string, content: unknown, options: object = {}) =>
    importRun(['per-instance', `${foreignFiles({ [file]: content })}/${file}`], options)

  it('of lines has fields that its first line does not have', async () => {
    const run = await imported('t.jsonl', [
      { task: 'a' },
      { task: 'b', passed: true, agent: 'A' },
      { task: 'b', passed: false, agent: 'B', cost: 0.5, input_tokens: 5, output_tokens: 6 },
    ])
    expect(inShort(run)).toEqual([
      'imported/a imported 1, completed, no verdict, score null, unknown tokens, unknown USD, unknown ms',
      'imported/b A 1, completed, passed, score 1, unknown tokens, unknown USD, unknown ms',
      'imported/b B 1, completed, failed, score 0, 5+6 tokens, 0.5 USD, unknown ms',
    ])
    await expect(imported('t.jsonl', [{ task: 'a' }, { passed: true }])).rejects.toThrow(
      /t\.jsonl:2\] has no column for the task.*Its columns: task, passed/,
    )
    await expect(imported('t.jsonl', [{ task: 'a', passed: 1 }], { columns: 'cost=usd' })).rejects.toThrow(
      /--columns cost=usd\] names a column that the table does not have/,
    )
  })

  it('has one trial for equal repetitions of a content and version, and several for others', async () => {
    const run = await imported(
      't.csv',
      'task,passed,epoch,version,question\nt,1,1,1,c\nt,0,1,2,c\nt,1,1,1,d\nt,1,1,1,c\n',
    )
    expect(run.manifest.trials).toBe(3)
    expect(run.said).toContain('1 trial found twice')
  })

  it('with a row of fewer or more cells than columns is refused with the line', async () => {
    const rows = 'task,passed,agent\na,true\nb,false,x,zzz\nc,true,x\n'
    await expect(imported('t.csv', rows)).rejects.toThrow(
      /t\.csv:2\] has 2 cells, but the first line names 3 columns/,
    )
    const { manifest } = await imported('t.csv', rows, { skipInvalid: true })
    expect(manifest).toMatchObject({ trials: 1, imported: { leftOut: { count: 2 } } })
  })

  it('with two columns of one name is refused', async () => {
    await expect(imported('t.csv', 'task,passed,passed\na,1,0\n')).rejects.toThrow(
      /t\.csv passed\] is the name of two columns/,
    )
  })

  it('keeps all digits of ids', async () => {
    const line =
      '{"task": 12345678901234567890, "passed": true, "cost": 0.1234567890123456, "answer": "1234567890123456789"}'
    const { manifest, records } = await imported('t.jsonl', line)
    expect(manifest.tasks[0]?.ref).toBe('imported/12345678901234567890')
    expect(records[0]?.spent.costUsd).toBe(0.1234567890123456)
    expect(records[0]?.answer).toBe('1234567890123456789')
  })

  it('takes P beside F as passed, and beside C, I or N as unclear', async () => {
    const { records } = await imported('t.csv', 'task,passed\na,P\nb,F\n')
    expect(records.map(({ passed }) => passed)).toEqual([true, false])
    await expect(imported('t.csv', 'task,passed\na,P\nb,C\n')).rejects.toThrow(
      /t\.csv:3\] has a column of verdicts with P and C/,
    )
  })

  it('finds columns in any capitals, and keeps the error of a trial that failed', async () => {
    const { records } = await imported('t.csv', 'Task,Passed,Agent,ERROR\na,0,x,it broke\n')
    expect(records[0]).toMatchObject({ method: 'x', passed: false, detail: 'it broke' })
  })
})
