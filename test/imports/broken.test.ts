import { describe, expect, it } from 'vitest'
import { foreignFiles, importRun } from '../helpers/imports/import-run.ts'
import { inspectHeader, inspectSample } from '../helpers/imports/inspect-log.ts'
import { zipOf } from '../helpers/imports/zip.ts'

const lines = (values: readonly unknown[]) =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n')

const samples = [inspectSample(1), { id: true, epoch: 0 }, inspectSample(3)]

const promptfooResult = (name: string) => ({
  ...{ promptIdx: 0, testIdx: 0, success: true, provider: 'echo', prompt: { label: 'p' } },
  testCase: { description: name, assert: [{ type: 'equals' }] },
})

const instance = (id: string) => ({
  ...{ schema_version: '0.3.0', evaluation_id: 'e', model_id: 'o/m', evaluation_name: 'demo' },
  ...{ sample_id: id, input: { raw: id }, evaluation: { is_correct: true } },
})

const tbTrial = (task: string) => ({ task_id: task, trial_name: task, is_resolved: true })

describe('--skip-invalid leaves out a result that cannot be read, and reads those behind it', () => {
  it.each<[string, string, unknown, string]>([
    ['a sample of Inspect AI', 'a.json', { ...inspectHeader(), samples }, 'samples[1] id'],
    [
      'a sample of Inspect AI that is no JSON',
      'a.json',
      JSON.stringify({ ...inspectHeader(), samples }).replace('"id":true', '"id":what'),
      'samples[1]',
    ],
    [
      'an entry of an archive of Inspect AI',
      'a.eval',
      zipOf([
        { name: 'header.json', data: JSON.stringify(inspectHeader()) },
        ...samples.map((sample, i) => ({
          name: `samples/${i + 1}_epoch_1.json`,
          data: i === 1 ? '{"id": 2,' : JSON.stringify(sample),
        })),
      ]),
      'samples/2_epoch_1.json',
    ],
    [
      'a result of promptfoo',
      'out.json',
      {
        evalId: 'e',
        results: {
          version: 3,
          results: [promptfooResult('a'), { ...promptfooResult('x'), success: null }, promptfooResult('b')],
        },
      },
      'results.results[1] success',
    ],
    [
      'a line of promptfoo',
      'out.jsonl',
      lines([promptfooResult('a'), { ...promptfooResult('x'), success: null }, promptfooResult('b')]),
      'out.jsonl:2 success',
    ],
    [
      'a sample of lm-evaluation-harness',
      'samples_sums_2026-01-21T03-44-18.458309.jsonl',
      lines([{ doc_id: 1, acc: 1 }, '{', { doc_id: 3, acc: 0 }]),
      '.jsonl:2',
    ],
    [
      'a trial of Terminal-Bench',
      'ada/results.json',
      { results: [tbTrial('a'), { task_id: 7 }, tbTrial('b')] },
      'results[1] task_id',
    ],
    [
      'an instance of Every Eval Ever',
      'x_samples.jsonl',
      lines([instance('a'), { ...instance('x'), sample_id: 1 }, instance('b')]),
      'x_samples.jsonl:2 sample_id',
    ],
  ])('%s', async (_, name, content, place) => {
    const folder = foreignFiles({ [name]: content })
    await expect(importRun([folder])).rejects.toThrow(place)
    const { records, manifest } = await importRun([folder], { skipInvalid: true })
    expect(records).toHaveLength(2)
    expect(manifest.imported?.leftOut).toMatchObject({
      count: 1,
      items: [
        { where: expect.stringContaining(place), what: expect.not.stringContaining('rest of the file') },
      ],
    })
  })

  it('a sample without the score that the user names', async () => {
    const other = { ...inspectSample(1), scores: { exact: { value: 'C' } } }
    const folder = foreignFiles({ 'a.json': { ...inspectHeader(), samples: [other, inspectSample(2)] } })
    const { records } = await importRun([folder], { skipInvalid: true, score: 'match' })
    expect(records.map(({ task }) => task)).toEqual(['sums/2'])
  })

  it('says field and place where nothing is left', async () => {
    const folder = foreignFiles({ 'a.json': { ...inspectHeader(), samples: [{ epoch: 1 }] } })
    await expect(importRun([folder], { skipInvalid: true })).rejects.toThrow(
      /has no trials; left out: .*samples\[0\] id is missing/s,
    )
  })
})
