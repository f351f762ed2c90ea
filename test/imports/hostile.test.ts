import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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
