import { expect, it } from 'vitest'
import { foreignFiles, importRun, inShort } from '../helpers/imports/import-run.ts'

const result = (test: string, more: object = {}) => ({
  ...{ promptIdx: 0, testIdx: 0, success: true, failureReason: 0, score: 1, latencyMs: 8 },
  ...{ provider: { id: 'openai:gpt-4o', label: '' }, prompt: { label: 'p', raw: 'p' } },
  testCase: { vars: { q: test }, assert: [{ type: 'equals' }] },
  response: { output: 'x' },
  ...more,
})

const file = (results: object[], prompts: object[] = []) =>
  foreignFiles({ 'out.json': { evalId: 'e', results: { version: 3, results, prompts } } })

it('two columns of one prompt and one provider are two rows, in every order and in JSON as in JSONL', async () => {
  const failed = { promptIdx: 1, success: false, failureReason: 1, score: 0 }
  const results = ['a', 'b'].flatMap((test) => [result(test, failed), result(test)])
  const prompts = [2, 1].map((testPassCount) => ({
    ...{ label: 'p', raw: 'p', provider: 'openai:gpt-4o', metrics: { testPassCount } },
  }))
  const run = await importRun([file(results, prompts)])
  const rows = [
    { row: 'p-2', passed: 0, failed: 2 },
    { row: 'p', passed: 2, failed: 0 },
  ]
  expect(run.manifest.imported?.rows).toMatchObject(rows)
  expect(run.manifest.imported?.differing).toMatchObject([{ row: 'p-2', stated: 1, counted: 0 }])
  const lines = await importRun([foreignFiles({ 'out.jsonl': results })])
  expect(lines.manifest.imported?.rows).toMatchObject(rows)
})

it('variables that a run adds are no part of the task', async () => {
  const said = (provider: string) =>
    result('a', { provider, vars: { q: 'a', _conversation: [{ output: `from ${provider}` }] } })
  const { manifest } = await importRun([file([said('a:x'), said('b:y')])])
  expect(manifest.tasks).toHaveLength(1)
  expect(manifest.imported?.rows).toHaveLength(2)
})

it('a cost is known without tokens, unless the reply came from the cache', async () => {
  const cached = { cost: 0.04, response: { output: 'x', cached: true } }
  const { records } = await importRun([file([result('a', { cost: 0.04 }), result('b', cached)])])
  expect(records.map(({ spent }) => spent.costUsd)).toEqual([0.04, null])
})

it('an error without a reason and without a grade is an error of the provider, and no failure', async () => {
  const broke = { success: false, failureReason: null, gradingResult: null, error: 'API error: 500' }
  const graded = { ...broke, gradingResult: { pass: false }, error: 'Expected 1' }
  const run = await importRun([file([result('a', broke), result('b', graded)])])
  expect(inShort(run).map((line) => line.split(', ').slice(1, 3))).toEqual([
    ['error (API error: 500)', 'no verdict'],
    ['completed', 'failed'],
  ])
})
