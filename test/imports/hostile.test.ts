import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reportRun } from '../../src/commands/report/report-run.ts'
import { foreignFiles, importRun } from '../helpers/imports/import-run.ts'
import { inspectHeader, inspectSample } from '../helpers/imports/inspect-log.ts'
import { type ZipEntry, zipOf } from '../helpers/imports/zip.ts'

const header: ZipEntry = { name: 'header.json', data: JSON.stringify(inspectHeader()) }
const sample = (data: string, more: Partial<ZipEntry> = {}): ZipEntry => ({
  name: 'samples/1_epoch_1.json',
  data,
  ...more,
})
const whole = JSON.stringify(inspectSample(1))

describe('an archive', () => {
  it.each<[string, Buffer, RegExp]>([
    [
      'that is cut off',
      zipOf([header, sample(whole)]).subarray(0, 300),
      /cannot be read as a zip archive.*Copy the file again/s,
    ],
    ['that is no archive', Buffer.from('{}'), /cannot be read as a zip archive/],
    [
      'with a name that leads out of its folder',
      zipOf([header, { name: '../out.json', data: '1' }]),
      /\.\.\/out\.json/,
    ],
    ['with an absolute name', zipOf([header, { name: '/etc/out.json', data: '1' }]), /absolute path/],
    ['with a name twice', zipOf([header, sample(whole), sample(whole)]), /is in it twice/],
    [
      'with an entry that unpacks to more than it says',
      zipOf([header, sample('x'.repeat(10_000), { size: 5 })]),
      /too many bytes|cannot be read/,
    ],
    ['with a bomb', zipOf([header, sample('0'.repeat(70 * 1024 * 1024))]), /is longer than 64 MiB/],
    [
      'with a sample that is cut off',
      zipOf([header, sample('{"id": 1,')]),
      /samples\/1_epoch_1\.json.*is cut off/s,
    ],
    [
      'with a sample of another shape',
      zipOf([header, sample('{"id": true, "epoch": 0}')]),
      /samples\/1_epoch_1\.json id/,
    ],
    ['without a header', zipOf([sample(whole)]), /is missing in the archive/],
  ])('%s is refused with its place and a remedy', async (_, archive, message) => {
    const folder = foreignFiles({ 'a.eval': archive })
    await expect(importRun([`${folder}/a.eval`])).rejects.toThrow(message)
    expect(existsSync(join(folder, '..', 'out.json'))).toBe(false)
  })
})

it('a document with one result of more than 64 MiB is refused before it is parsed', async () => {
  const folder = foreignFiles({
    'out.json': `{"evalId":"e","results":{"results":[{"x":"${'y'.repeat(70_000_000)}"}]}}`,
  })
  await expect(importRun([`${folder}/out.json`])).rejects.toThrow(/a part of more than 64 MiB/)
})

it('a document that ends in the middle is cut off, whatever part it ends in', async () => {
  const text = JSON.stringify({ evalId: 'e', results: { version: 3, results: [] } })
  for (const length of [text.length - 1, 30, 14]) {
    const folder = foreignFiles({ 'out.json': text.slice(0, length) })
    await expect(importRun(['promptfoo', `${folder}/out.json`])).rejects.toThrow(/is cut off/)
  }
})

it('links are not followed, and a folder without results says what would be one', async () => {
  const folder = foreignFiles({ 'results/a.txt': 'x' })
  symlinkSync('/', join(folder, 'results', 'root'))
  await expect(importRun([`${folder}/results`])).rejects.toThrow(/has no results of a format that is known/)
  await expect(importRun(['inspect', `${folder}/results`])).rejects.toThrow(
    /no results of Inspect AI.*LOG\.eval/s,
  )
})

it('with --skip-invalid what cannot be read is left out and counted, and the rest is imported', async () => {
  const folder = foreignFiles({
    't.jsonl': '{"task":"a","passed":true}\n{"task":\n[1]\n{"passed":true}\n{"task":"b","passed":false}\n',
  })
  await expect(importRun(['per-instance', `${folder}/t.jsonl`])).rejects.toThrow(
    /t\.jsonl:2.*--skip-invalid/s,
  )
  const run = await importRun(['per-instance', `${folder}/t.jsonl`], { skipInvalid: true })
  expect(run.records.map(({ task, passed }) => [task, passed])).toEqual([
    ['imported/a', true],
    ['imported/b', false],
  ])
  expect(run.manifest.imported?.leftOut).toMatchObject({ count: 3 })
  expect(run.manifest.imported?.leftOut.items.map(({ where }) => where.split(':').at(-1))).toEqual([
    '2',
    '3',
    '4',
  ])
})

it.each<[string, string[], object, RegExp]>([
  ['a format that is mistyped', ['inspekt', 'x.eval'], {}, /Did you mean inspect|inspect/],
  ['no path', [], {}, /names no files/],
  ['a path that does not exist', ['nowhere.json'], {}, /nowhere\.json\] does not exist/],
  ['a column that nothing can be', ['per-instance', 'package.json'], { columns: 'tusk=x' }, /tusk.*task/s],
  ['a file of no known format', ['package.json'], {}, /has a format that is not known.*per-instance/s],
])('%s is told with a remedy', async (_, words, options, message) => {
  await expect(importRun(words, options)).rejects.toThrow(message)
})

describe('names', () => {
  it('of tasks that look alike once they are cleaned stay tasks of their own', async () => {
    const ids = ['日本', '中国', 't,1', 't-1', 't 1', 'a/b', 'a-b', 'plain']
    const rows = ids.map((task) => ({ task, passed: true }))
    const run = await importRun(['per-instance', `${foreignFiles({ 't.jsonl': rows })}/t.jsonl`])
    expect(run.manifest.tasks).toHaveLength(8)
    expect(run.records.map(({ epoch }) => epoch)).toEqual(ids.map(() => 1))
    expect(run.records.at(-1)?.task).toBe('imported/plain')
  })

  it('of rows that look alike are numbered, and a label for several rows stands before their names', async () => {
    const rows = ['m 1', 'm-1'].map((method) => ({ task: 'a', passed: true, method }))
    const file = `${foreignFiles({ 't.jsonl': rows })}/t.jsonl`
    expect((await importRun(['per-instance', file])).records.map(({ method }) => method)).toEqual([
      'm-1',
      'm-1-2',
    ])
    const labelled = await importRun(['per-instance', `L=${file}`])
    expect(labelled.records.map(({ method }) => method)).toEqual(['L-m-1', 'L-m-1-2'])
  })
})

it.each<[string, object[], RegExp]>([
  ['an epoch that is none', [{ task: 'a', passed: 1, epoch: 1.5 }], /epoch.*from 1/],
  ['a cost that cannot be read', [{ task: 'a', passed: 1, cost: '$0.30' }], /cost.*is no number.*\$0\.30/],
  [
    'one trial with two verdicts',
    [
      { task: 'a', passed: 1, epoch: 1 },
      { task: 'a', passed: 0, epoch: 1 },
    ],
    /failed here and passed there/,
  ],
])('%s in a table is refused', async (_, rows, message) => {
  const folder = foreignFiles({ 't.jsonl': rows })
  await expect(importRun(['per-instance', `${folder}/t.jsonl`])).rejects.toThrow(message)
})

it('a text that is no JSON, with such a number in a string alone, is refused', async () => {
  const folder = foreignFiles({ 't.jsonl': '{"task":"a: NaN, b",\n' })
  await expect(importRun(['per-instance', `${folder}/t.jsonl`])).rejects.toThrow(/t\.jsonl:1/)
})

it('a number that JSON does not have is unknown, and other parts of the text stay', async () => {
  const text = '{"task":"a","passed":true,"cost":NaN,"answer":"NaN, Infinity"}\n{"task":"b","passed":NaN}\n'
  const { records } = await importRun(['per-instance', `${foreignFiles({ 't.jsonl': text })}/t.jsonl`])
  expect(records.map(({ passed, spent, answer }) => [passed, spent.costUsd, answer])).toEqual([
    [true, null, 'NaN, Infinity'],
    [null, null, undefined],
  ])
})

it('a file that is cut off beside whole ones is refused, or left out and counted', async () => {
  const trial = { task_id: 'a', trial_name: 'a.1-of-1.r', is_resolved: true }
  const folder = foreignFiles({
    'x/r/a/a.1-of-1.r/results.json': trial,
    'x/r/b/b.1-of-1.r/results.json': '{"task_id": "b", "tri',
  })
  await expect(importRun([folder])).rejects.toThrow(/b\.1-of-1\.r\/results\.json.*cut off/)
  const run = await importRun([folder], { skipInvalid: true })
  expect(run.manifest.imported?.leftOut.count).toBe(1)
})

it('options that a format has no use for, and scores that it does not have, are refused', async () => {
  const folder = foreignFiles({ 'a.json': { ...inspectHeader(), samples: [inspectSample(1)] } })
  await expect(importRun([folder], { taskList: 'x' })).rejects.toThrow(/task-list/)
  await expect(importRun([folder], { score: 'nope' })).rejects.toThrow(/--score nope.*match/s)
})

it('a sample that was not run is the same task as in another log, and counts as missing in its row alone', async () => {
  const log = (model: string, done: number[]) => {
    const header = inspectHeader({ sampleIds: [1, 2, 3] })
    return {
      ...header,
      eval: { ...header.eval, model, run_id: model },
      samples: done.map((id) => inspectSample(id)),
    }
  }
  const run = await importRun([foreignFiles({ 'a.json': log('a', [1, 2, 3]), 'b.json': log('b', [1]) })])
  expect(run.manifest.tasks).toHaveLength(3)
  const { summary } = await reportRun(run.out, run.manifest)
  expect(summary.methods.map(({ method, trials }) => [method, trials.run, trials.notRun])).toEqual([
    ['a', 3, 0],
    ['b', 1, 2],
  ])
})
