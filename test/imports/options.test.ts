import { describe, expect, it } from 'vitest'
import { differingSettings } from '../../src/commands/compare/differing-settings.ts'
import { foreignFiles, importRun } from '../helpers/imports/import-run.ts'

const refusal = async (words: readonly string[], options: object) => {
  const error = await importRun(words, options).catch((reason: Error) => reason)
  if (!(error instanceof Error)) throw new Error('it was imported')
  return error.message
}

const entry = (name: string, ids: readonly string[]) => ({
  name,
  per_instance_details: Object.fromEntries(ids.map((id) => [id, { resolved: true }])),
})

const trial = (task: string, run: string, resolved: boolean | null) => ({
  ...{ trial_name: `${task}.${run}`, task_id: task, is_resolved: resolved, failure_mode: 'unset' },
})

const clustersOf = ({ manifest }: Awaited<ReturnType<typeof importRun>>) =>
  manifest.tasks.map(({ ref, cluster }) => `${ref}: ${cluster}`)

describe('clusters', () => {
  const ids = ['django__django-1', 'django__django-22', 'pytest-dev__pytest-3']

  it('are the repositories of SWE-bench and the families of Terminal-Bench, if they are asked for', async () => {
    const board = { leaderboards: [{ name: 'own', results: [entry('a', ids)] }] }
    const folder = foreignFiles({
      'board.json': board,
      'ada/r1/results.json': { results: ['x', 'x.hard', 'y'].map((task) => trial(task, 'r1', true)) },
    })
    expect(clustersOf(await importRun([`${folder}/board.json`], { clusters: true }))).toEqual([
      'swe-bench-own/django__django-1: django__django',
      'swe-bench-own/django__django-22: django__django',
      'swe-bench-own/pytest-dev__pytest-3: pytest-dev__pytest',
    ])
    expect(clustersOf(await importRun([`${folder}/ada`], { clusters: true }))).toEqual([
      'terminal-bench/x: x',
      'terminal-bench/x.hard: x',
      'terminal-bench/y: y',
    ])
    expect(clustersOf(await importRun([`${folder}/ada`]))[1]).toBe('terminal-bench/x.hard: undefined')
  })

  it('are those of a column of a table; a task has one', async () => {
    const table = (last: string) =>
      foreignFiles({ 'a.csv': `task,passed,area\nt1,1,x\nt2,0,x\nt1,1,${last}\n` })
    const options = { columns: 'cluster=area' }
    expect(clustersOf(await importRun(['per-instance', `${table('x')}/a.csv`], options))).toEqual([
      'imported/t1: x',
      'imported/t2: x',
    ])
    expect(await refusal(['per-instance', `${table('y')}/a.csv`], options)).toMatch(
      /a\.csv:4\] the task t1 is of the cluster y here and of x elsewhere\. Give all its trials one cluster\./,
    )
  })

  it('are refused for formats whose names of tasks do not tell them', async () => {
    const folder = foreignFiles({ 'a.csv': 'task,passed\nt1,1\n' })
    expect(await refusal(['per-instance', `${folder}/a.csv`], { clusters: true })).toBe(
      '[--clusters] is not for results of a table. Leave it out. For a table: --columns cluster=COLUMN',
    )
  })
})

describe('trials without a verdict', () => {
  const folder = () =>
    foreignFiles({ 'ada/r1/results.json': { results: [trial('x', 'r1', null), trial('y', 'r1', true)] } })

  it('are failed with --ungraded failed, and keep the reason', async () => {
    const { manifest, records } = await importRun([folder()], { ungraded: 'failed' })
    expect(manifest.imported).toMatchObject({ asFailed: 1, rows: [{ passed: 1, failed: 1, notGraded: 0 }] })
    expect(records[0]).toMatchObject({ passed: false, score: 0, detail: 'it has no verdict' })
  })

  it('of two runs that are counted in two ways are named as a difference between the runs', async () => {
    const [ours, theirs] = [await importRun([folder()], { ungraded: 'failed' }), await importRun([folder()])]
    const sideOf = ({ manifest }: typeof ours) => ({
      ...{ folder: '', name: '', method: 'x', set: undefined, label: 'x', manifest },
    })
    const [a, b] = [sideOf(ours), sideOf(theirs)]
    expect(differingSettings(a, b)).toEqual([
      'ways to count trials without a verdict differ, failed and missing',
    ])
    expect(differingSettings(b, b)).toEqual([])
  })

  it('are counted in no third way', async () => {
    expect(await refusal([folder()], { ungraded: 'fail' })).toBe(
      '[--ungraded fail] is no way to count trials without a verdict. Did you mean failed? Write --ungraded failed, or leave it out: they are missing then.',
    )
  })
})

it('a baseline is a row of the import, and makes the family of tests', async () => {
  const folder = foreignFiles({ 'a.csv': 'task,passed,method\nt1,1,one\nt1,0,two\n' })
  const { manifest } = await importRun(['per-instance', `${folder}/a.csv`], { baseline: 'two' })
  expect(manifest).toMatchObject({ baseline: 'two', comparison: { family: 'baseline' } })
  expect(await refusal(['per-instance', `${folder}/a.csv`], { baseline: 'third' })).toBe(
    '[--baseline third] is no row of this import. Rows: one, two.',
  )
})

describe('the public board of Terminal-Bench', () => {
  const dataset = 'results/terminal-bench-core@0.1.1'

  it('names rows by the folders of submissions, whatever their runs call agent and model', async () => {
    const folder = foreignFiles({
      [`${dataset}/20250829_goose_model-4/2025-08-25__12-29-38__results.json`]: {
        results: [trial('x', '1-of-1.2025-08-25__12-29-38', true)],
      },
      [`${dataset}/20250901_ada-2_model-4/r1/results.json`]: { results: [trial('x', 'r1', true)] },
      [`${dataset}/20250901_ada-2_model-4/r1/run_metadata.json`]: {
        ...{ agent_name: 'Ada', model_name: 'vendor/model-4-0' },
        ...{ dataset_name: 'terminal-bench-core', dataset_version: '0.1.1' },
      },
    })
    const { manifest, records } = await importRun([`${folder}/${dataset}`])
    expect(manifest.tasks.map(({ ref }) => ref)).toEqual(['terminal-bench-core/x'])
    expect(records.map(({ method, agents }) => [method, agents])).toEqual([
      ['goose', 'model-4'],
      ['ada-2', 'model-4'],
    ])
  })

  it('states pass@k, which is compared with what is counted', async () => {
    const results = [1, 2, 3].map((n) => trial('x', `${n}-of-3`, n === 1))
    const file = (value: number) => ({ results, pass_at_k: { 2: value } })
    const folder = foreignFiles({ 'ada/results.json': file(2 / 3), 'bob/results.json': file(0.5) })
    expect((await importRun([`${folder}/ada`])).manifest.imported?.differing).toEqual([])
    const { said } = await importRun([`${folder}/bob`])
    expect(said).toContain('the source states pass@2 0.5, counted: 0.6667')
  })
})

describe('a report of SWE-bench', () => {
  const report = (more: object) => ({
    schema_version: 2,
    resolved_ids: ['a-1'],
    unresolved_ids: ['a-2'],
    ...more,
  })
  const list = '# all of them\na-1\na-2\n\n# and one more\na-3\n'

  it('takes its missing instances from a list, whose lines with # are remarks', async () => {
    const folder = foreignFiles({ 'm.run.json': report({ total_instances: 9 }), 'all.txt': list })
    const { manifest } = await importRun([`${folder}/m.run.json`], { taskList: `${folder}/all.txt` })
    expect(manifest.imported).toMatchObject({
      rows: [{ row: 'm', passed: 1, failed: 1, notRun: 1 }],
      leftOut: { items: [{ what: '6 of 9 instances: neither the report nor the task list names them' }] },
    })
  })

  it('is refused with instances that the list does not have, and so is a submission', async () => {
    const folder = foreignFiles({
      'm.run.json': report({ resolved_ids: ['b-1'] }),
      'sub/results/results.json': { resolved: ['b-1'], no_generation: [] },
      'all.txt': list,
    })
    const options = { taskList: `${folder}/all.txt` }
    const said = /b-1\] is not in the task list\. Give the list of all instances/
    expect(await refusal([`${folder}/m.run.json`], options)).toMatch(said)
    expect(await refusal([`${folder}/sub`], options)).toMatch(said)
    const { manifest } = await importRun([`${folder}/sub`], { ...options, skipInvalid: true })
    expect(manifest.imported).toMatchObject({ rows: [{ passed: 0, failed: 3 }], leftOut: { count: 1 } })
  })

  it.each([
    ['resolved and in error', { error_ids: ['a-1'] }],
    ['resolved and unresolved', { unresolved_ids: ['a-1'] }],
    ['unresolved and without a patch', { empty_patch_ids: ['a-2'] }],
  ])('is refused with an instance that is %s', async (what, more) => {
    const file = `${foreignFiles({ 'm.run.json': report(more) })}/m.run.json`
    expect(await refusal([file], {})).toContain(`is ${what}.`)
    const { manifest } = await importRun([file, `${foreignFiles({ 'n.run.json': report({}) })}/n.run.json`], {
      skipInvalid: true,
    })
    expect(manifest.imported?.leftOut.count).toBe(1)
  })

  it.each([
    ['gpt-4.1.json', 'gpt-4.1'],
    ['gpt-4.1.run-1.json', 'gpt-4.1'],
    ['o3.run.2.json', 'o3'],
    ['claude-3.5-sonnet.20241022.json', 'claude-3.5-sonnet'],
    ['us.anthropic.claude.r1.json', 'us.anthropic.claude'],
    ['model.json', 'model'],
  ])('%s is of the model %s', async (name, model) => {
    const { manifest } = await importRun([`${foreignFiles({ [name]: report({}) })}/${name}`])
    expect(manifest.methods[0]?.label).toBe(model)
  })

  it('of a version that was not tried is told', async () => {
    const { said } = await importRun([
      `${foreignFiles({ 'm.r.json': report({ schema_version: 99 }) })}/m.r.json`,
    ])
    expect(said).toContain('bench was not tried with version 99 of SWE-bench, only with 2')
  })
})

it('two entries of one name on a board of SWE-bench are two rows, and the same on two boards is one', async () => {
  const board = {
    leaderboards: [
      { name: 'verified', results: [entry('A', ['x-1']), entry('A', ['x-1', 'x-2'])] },
      { name: 'lite', results: [entry('A', ['y-1'])] },
    ],
  }
  const { manifest } = await importRun([`${foreignFiles({ 'board.json': board })}/board.json`])
  expect(manifest.imported?.rows.map(({ row, passed }) => [row, passed])).toEqual([
    ['A', 2],
    ['A-2', 2],
  ])
})
