import { execFileSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import compare from '../../src/commands/compare.ts'
import { reportRun } from '../../src/commands/report/report-run.ts'
import { foreignFiles, importRun } from '../helpers/imports/import-run.ts'
import { inspectHeader, inspectSample } from '../helpers/imports/inspect-log.ts'
import { type ZipEntry, zipOf } from '../helpers/imports/zip.ts'
import { tempFolder } from '../helpers/machine/temp.ts'

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
    ['that is empty', Buffer.alloc(0), /cannot be read as a zip archive/],
    ['with an entry that is encrypted', zipOf([header, sample(whole, { encrypted: true })]), /encrypted/],
    [
      'with Zstandard that is none',
      zipOf([header, sample('not zstandard', { method: 93, encrypted: true })]),
      /samples\/1_epoch_1\.json.*Copy the file again/s,
    ],
    [
      'with a packing that nobody knows',
      zipOf([header, sample(whole, { method: 99 as 8 })]),
      /compression method: 99/,
    ],
  ])('%s is refused with its place and a remedy', async (_, archive, message) => {
    const folder = foreignFiles({ 'a.eval': archive })
    await expect(importRun([`${folder}/a.eval`])).rejects.toThrow(message)
    expect(existsSync(join(folder, '..', 'out.json'))).toBe(false)
  })
})

describe('a path', () => {
  it.each<[string, string[], string]>([
    ['a named pipe', ['inspect'], 'a.json'],
    ['a named pipe beside a format that has archives', ['inspect'], 'a.eval'],
    ['a named pipe without a format', [], 'a.json'],
  ])('that is %s is refused, and nothing is read of it', async (_, format, name) => {
    const pipe = join(tempFolder(), name)
    execFileSync('mkfifo', [pipe])
    await expect(importRun([...format, pipe])).rejects.toThrow(/is not a file\. Give the path of the file/)
  })

  it('that is a device is refused', async () => {
    await expect(importRun(['inspect', '/dev/zero'])).rejects.toThrow(/is not a file/)
  })

  it('that is empty says so, as a file and as a folder', async () => {
    const folder = foreignFiles({ 'a.json': '', 't.jsonl': '' })
    await expect(importRun([`${folder}/a.json`])).rejects.toThrow(/format that is not known/)
    await expect(importRun(['inspect', `${folder}/a.json`])).rejects.toThrow(/a\.json\] is cut off/)
    await expect(importRun(['per-instance', `${folder}/t.jsonl`])).rejects.toThrow(/has no rows/)
    await expect(importRun([tempFolder()])).rejects.toThrow(/has no results/)
  })

  it('that is given twice is read once', async () => {
    const folder = foreignFiles({ 't.jsonl': [{ task: 'a', passed: true }] })
    const run = await importRun(['per-instance', `${folder}/t.jsonl`, `${folder}/./t.jsonl`])
    expect(run.records).toHaveLength(1)
  })
})

describe('a value that is nested 100,000 levels deep', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

  it.each<[string, string, string]>([
    [
      'in a task',
      'a.json',
      JSON.stringify({ ...inspectHeader(), samples: [{ ...inspectSample(1), input: 0 }] }).replace(
        '"input":0',
        `"input":${deep}`,
      ),
    ],
    ['in place of a result', 'out.json', `{"evalId":"e","results":{"results":[${deep}]}}`],
    ['in a line', 't.jsonl', `{"task":"a","passed":${deep}}\n`],
  ])('%s breaks nothing', async (_, name, text) => {
    const folder = foreignFiles({ [name]: text })
    const words = name === 't.jsonl' ? ['per-instance', `${folder}/${name}`] : [`${folder}/${name}`]
    const ended = await importRun(words).catch((error: Error) => error)
    if (ended instanceof Error) expect(ended.message).toMatch(new RegExp(`${name}.*\\. (?:Check|Name) `, 's'))
    else expect(ended.records[0]?.passed).toBe(null)
  })
})

describe('a gzipped table', () => {
  const lines = '{"task":"a","passed":true}\n'

  it('of several members is read whole', async () => {
    const packed = Buffer.concat([gzipSync(lines), gzipSync('{"task":"b","passed":false}\n')])
    const run = await importRun(['per-instance', `${foreignFiles({ 't.jsonl.gz': packed })}/t.jsonl.gz`])
    expect(run.records).toHaveLength(2)
  })

  it.each<[string, Buffer, RegExp]>([
    ['that is cut off', gzipSync(lines.repeat(1000)).subarray(0, 60), /t\.jsonl\.gz.*unexpected end of file/],
    ['with a bomb in one line', gzipSync(`{"task":"${'x'.repeat(40_000_000)}`), /:1\] has more than 16 MiB/],
  ])('%s is refused', async (_, packed, message) => {
    const folder = foreignFiles({ 't.jsonl.gz': packed })
    await expect(importRun(['per-instance', `${folder}/t.jsonl.gz`])).rejects.toThrow(message)
  })
})

it('names that are fields of every object are names like others', async () => {
  const rows = [
    '{"task":"__proto__","passed":true,"method":"constructor"}',
    '{"task":"toString","passed":false,"method":"__proto__"}',
  ]
  const run = await importRun(['per-instance', `${foreignFiles({ 't.jsonl': rows.join('\n') })}/t.jsonl`])
  expect(run.records.map(({ task, method }) => [task, method])).toEqual([
    ['imported/proto__', 'constructor'],
    ['imported/toString', '__proto__'],
  ])
})

it('two versions of a benchmark in one import are tasks of their own, and two imports of them share no task', async () => {
  const log = (version: number) => {
    const header = inspectHeader()
    return {
      ...header,
      eval: { ...header.eval, task_version: version, run_id: `r${version}`, model: `m${version}` },
      samples: [inspectSample(1)],
    }
  }
  const folder = foreignFiles({ '1/a.json': log(1), '2/a.json': log(2) })
  const both = await importRun([folder])
  expect(both.records.map(({ task }) => task)).toEqual(['sums/1.v1', 'sums/1.v2'])
  const [one, two] = [await importRun([`${folder}/1`]), await importRun([`${folder}/2`])]
  expect(one.manifest.tasks[0]?.ref).toBe(two.manifest.tasks[0]?.ref)
  await expect(compare(`${one.out}:generate`, `${two.out}:generate`, { format: 'text' })).rejects.toThrow(
    /sums\/1/,
  )
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
