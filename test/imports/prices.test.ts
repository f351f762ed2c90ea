import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { reportRun } from '../../src/commands/report/report-run.ts'
import { foreignFiles, type ImportedRun, importRun } from '../helpers/imports/import-run.ts'
import { inspectHeader, inspectSample } from '../helpers/imports/inspect-log.ts'
import { tempFolder } from '../helpers/machine/temp.ts'

/** Imports a table with one row. Tokens are a million in and out, unless the row says otherwise. */
const priced = (row: object, options: object = { price: true }) =>
  importRun(
    [
      'per-instance',
      join(
        foreignFiles({
          't.jsonl': [{ task: 'a', passed: true, input_tokens: 1_000_000, output_tokens: 1_000_000, ...row }],
        }),
        't.jsonl',
      ),
    ],
    options,
  )

const costOf = ({ records }: ImportedRun) => [records[0]?.spent.costUsd, records[0]?.costSource]

it.each<[string, object, number | null, string | undefined]>([
  ['by the list of its vendor', { model: 'openai/gpt-4o-mini' }, 0.75, 'table'],
  ['also in the words of promptfoo', { model: 'openai:chat:gpt-4o-mini' }, 0.75, 'table'],
  ['behind a router by the list of the router', { model: 'openrouter/openai/gpt-4o-mini' }, 0.75, 'table'],
  ['and keeps the cost that its source states', { model: 'openai/gpt-4o-mini', cost: 9 }, 9, undefined],
  ['cheaper for what was cached', { model: 'openai/gpt-4o-mini', cached_tokens: 1_000_000 }, 0.675, 'table'],
  ['but not without a vendor', { model: 'gpt-4o-mini' }, null, undefined],
  ['but not if others serve the model', { model: 'openai-compatible/gpt-4o-mini' }, null, undefined],
  [
    'but not if nobody counted its tokens',
    { model: 'openai/gpt-4o-mini', output_tokens: '' },
    null,
    undefined,
  ],
  ['but not if nobody knows how long its calls were', { model: 'google/gemini-2.5-pro' }, null, undefined],
  [
    'by the price of long calls if it had one call',
    { model: 'google/gemini-2.5-pro', calls: 1 },
    17.5,
    'table',
  ],
])('with --price a trial is priced %s', async (_, row, costUsd, source) => {
  const run = await priced(row)
  expect(costOf(run)).toEqual([costUsd, source])
  expect(costOf(await priced(row, {}))).toEqual([costUsd === 9 ? 9 : null, undefined])
})

it('the run, its report and what is said tell which costs bench computed, by which table, and why others are unknown', async () => {
  const rows = ['openai/gpt-4o-mini', 'own/m'].flatMap((model) =>
    ['a', 'b'].map((task) => ({ task, model, passed: true, input_tokens: 1000, output_tokens: 1000 })),
  )
  const run = await importRun(['per-instance', `${foreignFiles({ 't.jsonl': rows })}/t.jsonl`], {
    price: true,
  })
  expect(run.manifest.imported?.priced).toEqual({
    rows: [{ row: 'openai/gpt-4o-mini', trials: 2 }],
    unpriced: [{ why: 'own/m has no price', trials: 2 }],
  })
  expect(run.manifest.prices?.table).toMatchObject({ name: '@pydantic/genai-prices' })
  expect(run.said).toContain('2 trials priced by bench, from tokens')
  expect(run.said).toContain('2 trials without a cost, since own/m has no price')
  const { methods } = await reportRun(run.out, run.manifest)
  const notes = methods.notes.map(({ text }) => text).join('\n')
  expect(notes).toMatch(
    /Priced by bench, from tokens by @pydantic\/genai-prices [\d.]+ of [\d-]+, .*: openai\/gpt-4o-mini 2; without a cost: 2, since own\/m has no price\./,
  )
  expect(notes).toMatch(/as the source states, else its tokens by @pydantic/)
})

it('with --prices the prices of the user come first, by the name that the files give to the model', async () => {
  const file = join(tempFolder(), 'prices.yaml')
  writeFileSync(file, 'date: 2026-11-01\nprices:\n  own/m: { input: 1, output: 2 }\n')
  const run = await priced({ model: 'own/m' }, { prices: file })
  expect(costOf(run)).toEqual([3, 'file'])
  const { methods } = await reportRun(run.out, run.manifest)
  expect(methods.notes.map(({ text }) => text).join('\n')).toContain('your own prices of 2026-11-01')
})

it('a trial of several models is priced by each, and one that a server of the user answered is not', async () => {
  const usage = { input_tokens: 1_000_000, output_tokens: 0, total_tokens: 1_000_000 }
  const sample = (names: string[]) => ({
    ...inspectSample(1),
    model_usage: Object.fromEntries(names.map((name) => [name, usage])),
  })
  const log = (names: string[], more: object = {}) => {
    const header = inspectHeader()
    return { ...header, eval: { ...header.eval, model: names[0], ...more }, samples: [sample(names)] }
  }
  const names = ['openai/gpt-4o-mini', 'openai/gpt-4o']
  const both = await importRun([foreignFiles({ 'a.json': log(names) })], { price: true })
  expect(costOf(both)).toEqual([0.15 + 2.5, 'table'])
  const half = await importRun([foreignFiles({ 'a.json': log([...names, 'own/m']) })], { price: true })
  expect(costOf(half)).toEqual([null, undefined])
  const own = log(['openai/gpt-4o-mini'], { model_base_url: 'http://127.0.0.1:9/v1' })
  expect(costOf(await importRun([foreignFiles({ 'a.json': own })], { price: true }))).toEqual([
    null,
    undefined,
  ])
})
